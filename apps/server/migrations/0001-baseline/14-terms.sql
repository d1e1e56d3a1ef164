-- The terms and privacy notices that the operator published, and who accepted which terms.

-- Refuses changes and deletions: people have accepted these texts.
create function terms_are_kept() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = '23514';
end $$;

-- A version of the terms or of the privacy notice, in force from the beginning of its business day until a later one is:
-- the newest whose day has come. Without any, that of the software is in force. The texts are Markdown with placeholders.
create table terms_version (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('terms', 'privacy')),
  version text not null check (version ~ '^\d{4}-\d{2}-\d{2}(\.\d+)?$'),
  effective_day date not null,
  text_id text not null check (length(text_id) between 1 and 50000),
  text_en text not null check (length(text_en) between 1 and 50000),
  published_by bigint not null references app_user,
  published_at timestamptz not null,
  unique (kind, version)
);
create trigger append_only before update or delete or truncate on terms_version
  for each statement execute function terms_are_kept();

-- That a user accepted a version, as it read in one language with its placeholders filled: the hash of that text.
create table terms_consent (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  version text not null,
  language text not null check (language in ('id', 'en')),
  text_sha256 bytea not null check (octet_length(text_sha256) = 32),
  accepted_at timestamptz not null,
  constraint terms_consent_once unique (user_id, text_sha256)
);
create index terms_consent_newest on terms_consent (accepted_at, id);
create index terms_consent_version on terms_consent (version, user_id);
create trigger append_only before update or delete or truncate on terms_consent
  for each statement execute function terms_are_kept();
