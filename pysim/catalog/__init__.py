"""The catalog: one TOML file per model, device, architecture and engine, and the code that reads them."""
