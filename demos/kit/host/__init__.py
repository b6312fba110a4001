"""What builds and runs demos: registry, session, recording, figure."""
