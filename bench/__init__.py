"""The lab: every claim of Samewire measured beside its peers."""
