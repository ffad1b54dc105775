//! One UCI line to one value and back; unknown lines are data; knows nothing of processes.
