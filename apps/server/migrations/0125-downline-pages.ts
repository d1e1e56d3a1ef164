import { type Kysely, sql } from 'kysely'

/** Far pages of large downlines: the tree is read out of one index, level by level. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createMembers(db)
  await createFarLevels(db)
  await coverOrders(db)
}

/**
 * Everybody below a user, as bare ids in no order. A whole level is one look into the index of
 * referrers, which is several times quicker than to look for each referrer by itself. One plan serves
 * all levels: a long line has thousands of them.
 */
async function createMembers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function referral_members(p_user bigint) returns setof bigint
      language plpgsql stable strict rows 1000
      set enable_seqscan = off set enable_bitmapscan = off
      set plan_cache_mode = force_generic_plan as $$
    declare
      v_level bigint[] := array[p_user];
      v_members bigint[] := '{}';
    begin
      loop
        v_level := array(select n.user_id from referral_node n
          where n.referrer_id = any(v_level) and not n.is_removed);
        exit when cardinality(v_level) = 0;
        v_members := v_members || v_level;
      end loop;
      return query select unnest(v_members);
    end $$`.execute(db)
}

/**
 * A stretch of a downline in the order of level and registration, like `referral_levels`, for one
 * that begins far down: levels before it are counted, not sorted.
 */
async function createFarLevels(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function referral_far_levels(p_user bigint, p_offset integer, p_limit integer)
      returns table (user_id bigint, level integer)
      language plpgsql stable strict rows 10
      set enable_seqscan = off set enable_bitmapscan = off
      set plan_cache_mode = force_generic_plan as $$
    declare
      v_level bigint[] := array[p_user];
      v_skip integer := p_offset;
      v_left integer := p_limit;
      v_count integer;
    begin
      level := 0;
      while v_left > 0 loop
        level := level + 1;
        v_level := array(select n.user_id from referral_node n
          where n.referrer_id = any(v_level) and not n.is_removed);
        v_count := cardinality(v_level);
        exit when v_count = 0;
        if v_count > v_skip then
          return query select f, referral_far_levels.level from unnest(v_level) f
            order by f offset v_skip limit v_left;
          v_left := v_left - (v_count - v_skip);
        end if;
        v_skip := greatest(0, v_skip - v_count);
      end loop;
    end $$`.execute(db)
}

/** Whoever goes through all users by address or by code needs nothing but their ids. */
async function coverOrders(db: Kysely<unknown>): Promise<void> {
  await sql`drop index app_user_address`.execute(db)
  await sql`
    create unique index app_user_address on app_user (address) include (id)
      where deleted_at is null`.execute(db)
  await sql`
    alter table app_user drop constraint app_user_referral_code,
      add constraint app_user_referral_code unique (referral_code) include (id)`.execute(db)
}
