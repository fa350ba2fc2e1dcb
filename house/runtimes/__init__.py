"""The runtimes that users run beside the developer's own: newer CPythons, JDKs and Nodes."""
