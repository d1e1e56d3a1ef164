-- The time of block `proved_number`: what is not booked by then did not happen. Unknown until the next comparison.
alter table chain_cursor add column proved_time timestamptz;
