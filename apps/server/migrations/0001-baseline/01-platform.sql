-- The basis of every module: business time, jobs, alarms, and the text forms that lists are searched by.

-- How far business time runs ahead of real time. Only the development network moves it.
create table business_clock (
  single boolean primary key default true check (single),
  offset_ms bigint not null default 0 check (offset_ms >= 0)
);
insert into business_clock default values;

-- The chains and contracts that this database belongs to. A process whose settings name others refuses to start.
create table pin (
  name text primary key,
  value text not null
);

-- Work to do once, later. It is queued in the transaction that makes it necessary, so neither happens without the other.
create table job (
  id bigint generated always as identity primary key,
  queue text not null,
  dedupe_key text not null,
  payload jsonb not null default '{}'::jsonb,
  run_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  constraint job_once unique (queue, dedupe_key)
);
create index job_due on job (run_at, id);

-- Problems that need a person. Raising one that is already open changes nothing.
create table alarm (
  id bigint generated always as identity primary key,
  kind text not null,
  subject text not null,
  message text not null,
  raised_at timestamptz not null,
  cleared_at timestamptz
);
create unique index alarm_open on alarm (kind, subject) where cleared_at is null;

-- The state of each process's loops as it last reported them, for the operators' page. In real time.
create table loop_report (
  host text not null,
  name text not null,
  is_idle boolean not null,
  failures integer not null check (failures >= 0),
  last_error text,
  reported_at timestamptz not null,
  primary key (host, name)
);

-- The last nine characters of a Tron address in base58check. People recognise an address by its end, so lists are
-- searched by it. Only the number modulo 58^9 matters; multiplied by 256 it still fits a bigint.
create function tron_address_end(p_address bytea) returns text
language plpgsql immutable strict parallel safe cost 500 as $$
declare
  v_plain bytea := '\x41'::bytea || p_address;
  v_bytes bytea := v_plain || substring(sha256(sha256(v_plain)) from 1 for 4);
  v_rest bigint := 0;
  v_end text := '';
begin
  for i in 0 .. length(v_bytes) - 1 loop
    v_rest := (v_rest * 256 + get_byte(v_bytes, i)) % 7427658739644928;
  end loop;
  for i in 1 .. 9 loop
    v_end := v_end || substr(
      '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', (v_rest % 58)::int + 1, 1);
    v_rest := v_rest / 58;
  end loop;
  return v_end;
end $$;

-- A hash or a BSC address in hex, reversed: a search by its end becomes a search by a prefix, which an index supports.
create function hex_end(p_bytes bytea) returns text
language sql immutable strict parallel safe cost 100 as $$
  select reverse(encode(p_bytes, 'hex'))
$$;

-- A day as the pages format it, so that users can search for what they see.
create function formatted_day(p_day date) returns text
language sql immutable strict parallel safe as $$
  select extract(day from p_day)::int || ' '
    || (array['Jan','Feb','Mar','Apr','Mei','Jun','Jul','Agu','Sep','Okt','Nov','Des'])
      [extract(month from p_day)::int]
    || ' ' || extract(year from p_day)::int
$$;
