// The turns of a trajectory on the token axis. Joined to a kernel that binds mask and end_mask (0 or 1).

// The first token of the turn that ends at `end`; `first` is the first token of its trajectory.
fn turn_start(end: u32, first: u32) -> u32 {
  var start = end;
  while (start > first && mask[start - 1u] != 0.0 && end_mask[start - 1u] == 0.0) { start--; }
  return start;
}

// Where the value of the turn that ends at `end` is read: before that token, or before the first one when at_start is 1.
fn turn_anchor(at_start: u32, end: u32, first: u32) -> u32 {
  if (at_start == 1u) { return turn_start(end, first); }
  return end;
}
