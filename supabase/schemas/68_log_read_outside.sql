-- The log as others read it: its hashes as tiles (C2SP tlog-tiles), and who watches it from outside.

-- Whether these are settings of the proof: { tiles, quorum, witnesses: [{ key, url }], authority: { url, policy, ca } or null }, where the
-- quorum is a number of the witnesses, and none only where there are none.
create function quorate.is_proof(p jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce(p = pg_catalog.jsonb_build_object('tiles', p -> 'tiles', 'quorum', p -> 'quorum', 'witnesses', p -> 'witnesses',
      'authority', p -> 'authority')
    and pg_catalog.jsonb_typeof(p -> 'tiles') = 'boolean'
    and pg_catalog.jsonb_typeof(p -> 'witnesses') = 'array' and pg_catalog.jsonb_array_length(p -> 'witnesses') <= 16
    and pg_catalog.jsonb_typeof(p -> 'quorum') = 'number'
    and (p ->> 'quorum')::numeric between sign(pg_catalog.jsonb_array_length(p -> 'witnesses'))
      and pg_catalog.jsonb_array_length(p -> 'witnesses')
    and (p ->> 'quorum')::numeric % 1 = 0
    and pg_catalog.jsonb_typeof(p -> 'authority') in ('null', 'object'), false)
$$;

-- Whether the proof would be weaker: a witness or the authority is gone or another, or fewer of the old witnesses are needed than before.
-- Each added one counts as one that agrees to everything, so that nobody fills the quorum with their own.
create function quorate.weakens_proof(p_before jsonb, p_after jsonb) returns boolean language sql immutable set search_path = '' as $$
  select coalesce((p_before -> 'authority' <> 'null' and p_before -> 'authority' <> p_after -> 'authority')
    or not (p_after -> 'witnesses') @> (p_before -> 'witnesses')
    or ((p_before ->> 'quorum')::int > 0 and (p_after ->> 'quorum')::int
      - (pg_catalog.jsonb_array_length(p_after -> 'witnesses') - pg_catalog.jsonb_array_length(p_before -> 'witnesses'))
        < (p_before ->> 'quorum')::int), true)
$$;

-- Whoever may read the hashes of a workspace's log: anybody where it says so, its members and their keys always.
create function quorate.may_read_log(p_workspace uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce(exists (select from quorate.workspaces w where w.id = p_workspace and w.proof -> 'tiles' = 'true')
    or (p_workspace = quorate.current_workspace_id() and quorate.key_may('audit:read')), false)
$$;

-- The newest checkpoint as a signed note, and whoever signed it with us; nothing where there is none, or it is not for the reader.
create function quorate.read_log_checkpoint(p_workspace uuid) returns table (note text)
language plpgsql stable security definer set search_path = '' as $$
begin
  perform quorate.require_session();
  return query select c.note || coalesce((select string_agg(s.line || E'\n', '' order by s.witness) from quorate.cosignatures s
      where s.workspace_id = p_workspace and s.size = c.size), '')
    from quorate.checkpoints c where c.workspace_id = p_workspace and quorate.may_read_log(p_workspace) order by c.size desc limit 1;
end $$;

-- The first p_width hashes of the tile at this level and index: 256 nodes wide, each of them over 256 of the level below.
create function quorate.read_log_tile(p_workspace uuid, p_level int, p_index bigint, p_width int) returns table (hash bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select n.hash from quorate.audit_nodes n where n.workspace_id = p_workspace and n.level = p_level * 8
    and n.idx >= p_index * 256 and n.idx < p_index * 256 + p_width and quorate.may_read_log(p_workspace) order by n.idx
$$;

-- What the leaves of a tile at level 0 are made of: nothing of an entry but its id, its time and the digest of its content.
create function quorate.read_log_entries(p_workspace uuid, p_index bigint, p_width int)
  returns table (id uuid, at timestamptz, body_digest bytea)
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select e.id, e.at, e.body_digest from quorate.audit_events e where e.workspace_id = p_workspace
    and e.leaf_index >= p_index * 256 and e.leaf_index < p_index * 256 + p_width and quorate.may_read_log(p_workspace) order by e.leaf_index
$$;

create function quorate.guard_proof() returns trigger language plpgsql set search_path = '' as $$
begin
  if not quorate.is_proof(new.proof) then
    raise exception 'these are no settings of the proof' using errcode = '22023';
  end if;
  if current_user = 'quorate_member' and quorate.weakens_proof(old.proof, new.proof)
    and quorate.needs_second_person(new.id, quorate.current_user_id(), null) then
    raise exception 'a second person agrees to a weaker proof' using errcode = 'QP005';
  end if;
  return new;
end $$;

create trigger guard_proof before update on quorate.workspaces for each row
  when (old.proof is distinct from new.proof) execute function quorate.guard_proof();

revoke all on function quorate.is_proof(jsonb), quorate.weakens_proof(jsonb, jsonb), quorate.may_read_log(uuid),
  quorate.read_log_checkpoint(uuid), quorate.read_log_tile(uuid, int, bigint, int), quorate.read_log_entries(uuid, bigint, int),
  quorate.guard_proof() from public;
grant execute on function quorate.is_proof(jsonb), quorate.weakens_proof(jsonb, jsonb) to quorate_member;
grant execute on function quorate.read_log_checkpoint(uuid), quorate.read_log_tile(uuid, int, bigint, int),
  quorate.read_log_entries(uuid, bigint, int) to quorate_app, quorate_member;
