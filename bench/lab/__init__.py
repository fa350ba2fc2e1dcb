"""The lab: every claim of Samewire measured beside its peers, with statistics that say when there is no difference.

`cli` is the command `bench`. A run is a folder with a header and a journal of processes (`store`); everything shown is
computed from them again (`cells`, `stats`), so that a stored run can be rendered anywhere, without any toolchain.
"""
