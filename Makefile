# Two Speeds: one short command per job. Start with `make serve` or `make test`.
PYTHON ?= python3
PREPARE := $(PYTHON) -m hooks.setup
# How many processes share the test files; each has its own browser.
jobs ?= 2
RUN := PATH="$(CURDIR)/.venv/bin:$$PATH" .venv/bin/python

# Silences Material's notice about future generators, which nothing here can act on.
export NO_MKDOCS_2_WARNING := 1

.PHONY: help serve site offline test check bench fuzz promise screenshot look clean
.DEFAULT_GOAL := help

help:           ## show these commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' Makefile

serve:          ## build the site, serve it and rebuild on every edit
	@$(PREPARE) site
	@$(RUN) -m hooks.pack
	@$(RUN) -m hooks.setup.serve $(port)

site:           ## build the site to site/, every warning an error
	@$(PREPARE) site
	@$(RUN) -m hooks.pack
	@$(RUN) -m mkdocs build --strict

offline:        ## make dist/two-speeds-VERSION.zip, the site for a double-click
	@$(PREPARE) site
	@$(RUN) -m hooks.pack
	@$(RUN) -m hooks.offline

test:           ## run every test, in a browser too (make test only=tests/pysim jobs=4)
	@$(PREPARE) test
	@$(RUN) -m pytest --numprocesses $(jobs) --dist loadfile --no-loadscope-reorder $(only)

check:          ## lint, types, spelling, wording, links and valid HTML
	@$(PREPARE) test
	@$(RUN) -m tests.tools.check

bench:          ## measure what is promised, and print it next to its bound
	@$(PREPARE) test
	@$(RUN) -m hooks.pack
	@$(RUN) -m tests.tools.bench

fuzz:           ## send 100,000 corrupted tool outputs through the doctor (make fuzz count=1000)
	@$(PREPARE) test
	@$(RUN) -m tests.bench.fuzz_doctor $(count)

promise:        ## before a release: list the addresses of new answers, works and terms as permanent
	@$(PREPARE) site
	@$(RUN) -m hooks.promise

screenshot:     ## retake the README screenshot
	@$(PREPARE) test
	@$(RUN) -m hooks.pack
	@$(RUN) -m tests.tools.screenshot

look:           ## picture every demo at four widths, light and dark, on one sheet (make look demos="kv-cache latency")
	@$(PREPARE) test
	@$(RUN) -m hooks.pack
	@$(RUN) -m tests.tools.look $(demos)

clean:          ## remove everything that make has made
	rm -rf .venv .cache node_modules build site dist
