-- Permanent records: closed days and notes on cases, and the links that show a case to support.

-- Refuses changes and deletions: others may have read these rows already.
create function statement_is_kept() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '23514';
end $$;

-- A day closed by an admin: the statement as a file, with its hash.
create table daily_close (
  day date primary key,
  closed_at timestamptz not null,
  closed_by bigint not null references app_user,
  differences integer not null check (differences >= 0),
  content text not null,
  sha256 bytea not null,
  constraint daily_close_hash check (sha256 = pg_catalog.sha256(convert_to(content, 'UTF8')))
);
create trigger append_only before update or delete or truncate on daily_close
  for each statement execute function statement_is_kept();

-- An admin's note on a claim.
create table case_note (
  id bigint generated always as identity primary key,
  claim_id bigint not null references claim,
  admin_id bigint not null references app_user,
  text text not null check (length(text) between 1 and 2000),
  at timestamptz not null
);
create index case_note_of_claim on case_note (claim_id, id);
create trigger append_only before update or delete or truncate on case_note
  for each statement execute function statement_is_kept();

-- A link that shows a case to anyone who has it, until it expires or is revoked. Only the hash of its token is stored,
-- so that reading the table does not give access. Times are real, like those of sessions.
create table case_link (
  id bigint generated always as identity primary key,
  claim_id bigint not null references claim,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_by bigint references app_user,
  revoked_at timestamptz,
  check (expires_at > created_at),
  check (num_nonnulls(revoked_by, revoked_at) in (0, 2))
);
create index case_link_of_claim on case_link (claim_id, id);

-- What the operator announces on the status page: work that is planned or under way. Times are real, like those of
-- sessions. One that is over before its time ends earlier; it is never removed.
create table maintenance_note (
  id bigint generated always as identity primary key,
  text_id text not null check (length(text_id) between 1 and 500),
  text_en text not null check (length(text_en) between 1 and 500),
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  created_by bigint not null references app_user,
  created_at timestamptz not null,
  check (ends_at >= starts_at)
);
create index maintenance_note_by_end on maintenance_note (ends_at);

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

-- A holder's leaf, kept for the last few days, in which the holder can ask for it. Without foreign keys: one statement
-- copies all rows from what they would reference, and the day follows once its root is known.
create table owed_leaf (
  day date not null,
  user_id bigint not null,
  position integer not null,
  salt bytea not null,
  owed numeric(78,0) not null check (owed > 0),
  primary key (day, user_id)
);

-- The tree's nodes, leaves at level 0, for paths: kept as long as the leaves.
create table owed_node (
  day date not null,
  level smallint not null,
  position integer not null,
  hash bytea not null,
  sum numeric(78,0) not null,
  primary key (day, level, position)
);

-- An amount as the tree's hashes contain it: 32 bytes, big-endian.
create function owed_bytes(p_amount numeric) returns bytea
  language sql immutable strict parallel safe
  return decode(lpad(to_hex(p_amount::bigint), 64, '0'), 'hex');
