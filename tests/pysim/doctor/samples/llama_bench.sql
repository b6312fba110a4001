CREATE TABLE IF NOT EXISTS llama_bench (
  build_commit TEXT,
  n_prompt INTEGER,
  avg_ts REAL
);

INSERT INTO llama_bench (build_commit, build_number, cpu_info, gpu_info, backends, model_filename, model_type, model_size, model_n_params, n_batch, n_threads, n_gpu_layers, n_prompt, n_gen, test_time, avg_ns, stddev_ns, avg_ts, stddev_ts) VALUES ('1a2b3c4d', '6001', 'It''s a CPU, really', 'Tesla P40', 'CUDA', 'a/b.gguf', 'llama 13B Q4_0', '7365000000', '13016000000', '2048', '8', '41', '512', '0', '2025-06-01T10:00:00Z', '1280000000', '1000000', '400.000000', '0.312500');
INSERT INTO llama_bench (build_commit, build_number, cpu_info, gpu_info, backends, model_filename, model_type, model_size, model_n_params, n_batch, n_threads, n_gpu_layers, n_prompt, n_gen, test_time, avg_ns, stddev_ns, avg_ts, stddev_ts) VALUES ('1a2b3c4d', '6001', 'It''s a CPU, really', 'Tesla P40', 'CUDA', 'a/b.gguf', 'llama 13B Q4_0', '7365000000', '13016000000', '2048', '8', '41', '0', '128', '2025-06-01T10:00:30Z', '6400000000', '1000000', '20.000000', '0.003125');
