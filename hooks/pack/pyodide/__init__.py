"""Work that Pyodide itself does at build: which modules are needed, and their bytecode."""
