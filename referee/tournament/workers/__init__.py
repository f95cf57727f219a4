"""Workers play the blocks of a tournament: processes on this machine, this process, or a Dask cluster."""
