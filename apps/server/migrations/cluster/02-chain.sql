do $$
begin
  if exists (select from pg_dist_partition where logicalrelid = 'chain_event'::regclass) then return; end if;
  perform create_distributed_table('chain_event', 'tx_hash');
  perform truncate_local_data_after_distributing_table('chain_event');
end $$;
