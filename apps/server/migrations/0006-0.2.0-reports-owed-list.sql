-- What referrers were owed at the end of each business day: a Merkle sum tree whose root everybody is shown
-- (packages/rules/src/sum-tree.ts defines it).
create table owed_day (
  day date primary key,
  -- When the debts were read, in business time.
  at timestamptz not null,
  root bytea not null check (octet_length(root) = 32),
  sum numeric(78,0) not null check (sum >= 0),
  holders integer not null check (holders >= 0)
);
create trigger append_only before update or delete or truncate on owed_day
  for each statement execute function statement_is_kept();

-- A holder's leaf, kept for the last few days, in which the holder can ask for it.
create table owed_leaf (
  day date not null references owed_day,
  user_id bigint not null references app_user,
  position integer not null,
  salt bytea not null,
  owed numeric(78,0) not null check (owed > 0),
  primary key (day, user_id)
);

-- The tree's nodes, leaves at level 0, for paths: kept as long as the leaves.
create table owed_node (
  day date not null references owed_day,
  level smallint not null,
  position integer not null,
  hash bytea not null,
  sum numeric(78,0) not null,
  primary key (day, level, position)
);
