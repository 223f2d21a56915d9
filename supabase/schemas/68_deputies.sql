-- Deputies: who takes a member's approvals while they are away, and is told of what is nearly due. None of it lets anybody vote: a deputy
-- decides with the role and under the rules that are theirs anyway.

create table quorate.deputies (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  user_id uuid not null,
  deputy_id uuid not null,
  from_at timestamptz, -- with until_at: the time away. Both null: not away, and the deputy is only told of what is nearly due
  until_at timestamptz,
  reason text not null default '' check (length(reason) <= 500),
  named_by uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz, -- ended early, or replaced
  told_at timestamptz, -- the deputy knows that the time has begun
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade,
  foreign key (workspace_id, deputy_id) references quorate.members (workspace_id, user_id) on delete cascade,
  check (user_id <> deputy_id),
  check ((from_at is null) = (until_at is null)),
  check (until_at > from_at)
);
create index deputies_of on quorate.deputies (workspace_id, user_id) where ended_at is null;
create index deputies_for on quorate.deputies (workspace_id, deputy_id) where ended_at is null;
create index deputies_beginning on quorate.deputies (from_at) where ended_at is null and told_at is null and from_at is not null;
create unique index deputies_one_standing on quorate.deputies (workspace_id, user_id) where ended_at is null and from_at is null;
alter table quorate.deputies enable row level security;

-- The time away of a member that runs now; all null where they are not away.
create function quorate.absence_of(p_workspace uuid, p_user uuid) returns quorate.deputies
language sql stable security definer set search_path = '' as $$
  select d from quorate.deputies d where d.workspace_id = p_workspace and d.user_id = p_user and d.ended_at is null
    and d.from_at <= pg_catalog.clock_timestamp() and d.until_at > pg_catalog.clock_timestamp()
$$;

create function quorate.deputy_time(p_at timestamptz) returns text language sql stable set search_path = '' as $$
  select pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'
$$;

-- Why this deputy cannot be named, as an SQLSTATE: null where they can. Both members are locked by the caller.
create function quorate.deputy_refusal(p_user uuid, p_deputy uuid, p_from timestamptz, p_until timestamptz) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_actor uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id();
  v_roles text[]; v_deputy text[]; v_actors text[];
begin
  if v_actor is null or quorate.current_key_id() is not null then return 'QD003'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_user;
  select m.roles into v_deputy from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_deputy;
  select m.roles into v_actors from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_actor;
  if v_actor <> p_user and not coalesce('admin' = any (v_actors) and quorate.has_role('admin'), false) then return 'QD002'; end if;
  if v_roles is null then return 'QD001'; end if;
  if not 'approver' = any (v_roles) then return 'QD004'; end if;
  if p_deputy = p_user then return 'QD005'; end if;
  if v_deputy is null or not 'approver' = any (v_deputy) then return 'QD006'; end if;
  if p_from is null and p_until is null then return null; end if;
  if (p_until > p_from and p_until > pg_catalog.clock_timestamp() and p_until <= p_from + interval '366 days') is not true then
    return 'QD007'; end if;
  if exists (select from quorate.deputies d where d.workspace_id = v_workspace and d.user_id = p_user and d.ended_at is null
    and d.from_at < p_until and d.until_at > p_from) then return 'QD008'; end if;
  -- no circles, and no deputy who is away from the start
  if exists (select from quorate.deputies d where d.workspace_id = v_workspace and d.user_id = p_deputy and d.ended_at is null
    and d.from_at < p_until and d.until_at > p_from) then return 'QD009'; end if;
  return null;
end $$;

-- Names a deputy: oneself, or an admin for somebody else. Without a time it replaces the one without a time. Answers the names of both.
create function quorate.name_deputy(p_id uuid, p_user uuid, p_deputy uuid, p_from timestamptz, p_until timestamptz, p_reason text)
returns json
language plpgsql security definer set search_path = '' as $$
declare
  v_actor uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id(); v_now timestamptz;
  v_refusal text; v_name text; v_deputy text; v_by text; v_times jsonb; d record;
  v_about jsonb := pg_catalog.jsonb_build_object('kind', 'deputies', 'id', p_id);
begin
  -- in one order: of two who name each other at the same moment, the second sees the first
  perform from quorate.members m where m.workspace_id = v_workspace and m.user_id in (p_user, p_deputy) order by m.user_id
    for no key update;
  v_now := pg_catalog.clock_timestamp();
  v_refusal := quorate.deputy_refusal(p_user, p_deputy, p_from, p_until);
  if v_refusal is not null then raise exception 'this deputy cannot be named' using errcode = v_refusal; end if;
  select m.name into v_name from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_user;
  select m.name into v_deputy from quorate.members m where m.workspace_id = v_workspace and m.user_id = p_deputy;
  select m.name into v_by from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_actor;
  if p_from is null then
    update quorate.deputies x set ended_at = v_now
      where x.workspace_id = v_workspace and x.user_id = p_user and x.from_at is null and x.ended_at is null;
  end if;
  insert into quorate.deputies (id, workspace_id, user_id, deputy_id, from_at, until_at, reason, named_by, told_at)
    values (p_id, v_workspace, p_user, p_deputy, p_from, p_until, p_reason, v_actor, case when p_from <= v_now then v_now end);
  v_times := pg_catalog.jsonb_build_object('from', quorate.deputy_time(p_from), 'until', quorate.deputy_time(p_until));
  if p_deputy <> v_actor then
    perform quorate.notify(v_workspace, array[p_deputy], 'approval',
      case when p_from is null then 'notifyDeputyStanding' else 'notifyDeputyNamed' end,
      pg_catalog.jsonb_build_object('name', v_name) || case when p_from is null then '{}' else v_times end, v_about, 'deputy:' || p_id);
  end if;
  if p_user <> v_actor then
    perform quorate.notify(v_workspace, array[p_user], 'approval',
      case when p_from is null then 'notifyAwayStanding' else 'notifyAwayNamed' end,
      pg_catalog.jsonb_build_object('name', v_by, 'deputy', v_deputy) || case when p_from is null then '{}' else v_times end, v_about,
      'deputy-of:' || p_id);
  end if;
  -- whoever counts on a deputy that goes away themselves
  for d in select x.id, x.user_id from quorate.deputies x where x.workspace_id = v_workspace and x.deputy_id = p_user
    and x.ended_at is null and x.from_at < p_until and x.until_at > p_from loop
    perform quorate.notify(v_workspace, array[d.user_id], 'approval', 'notifyDeputyAway',
      pg_catalog.jsonb_build_object('name', v_name) || v_times, v_about, 'deputy-away:' || d.id || ':' || p_id);
  end loop;
  return pg_catalog.json_build_object('name', v_name, 'deputy', v_deputy);
end $$;

-- Ends it before its time: the member, the deputy, or an admin. Answers { user, name, deputy }.
create function quorate.end_deputy(p_id uuid) returns json language plpgsql security definer set search_path = '' as $$
declare
  d quorate.deputies; v_actor uuid := quorate.current_user_id(); v_workspace uuid := quorate.current_workspace_id(); v_name text;
begin
  select * into d from quorate.deputies x where x.id = p_id and x.workspace_id = v_workspace for update;
  if d.id is null or v_actor is null then raise exception 'no such deputy' using errcode = 'QD001'; end if;
  if quorate.current_key_id() is not null or not (v_actor in (d.user_id, d.deputy_id) or (quorate.has_role('admin')
    and exists (select from quorate.members m where m.workspace_id = v_workspace and m.user_id = v_actor and 'admin' = any (m.roles)))) then
    raise exception 'not theirs to end' using errcode = 'QD002';
  end if;
  if d.ended_at is not null or d.until_at <= pg_catalog.clock_timestamp() then raise exception 'it is over' using errcode = 'QD010'; end if;
  update quorate.deputies x set ended_at = pg_catalog.clock_timestamp() where x.id = d.id;
  select m.name into v_name from quorate.members m where m.workspace_id = v_workspace and m.user_id = d.user_id;
  perform quorate.notify(v_workspace, pg_catalog.array_remove(array[d.user_id, d.deputy_id], v_actor), 'approval', 'notifyDeputyEnded',
    pg_catalog.jsonb_build_object('name', v_name), pg_catalog.jsonb_build_object('kind', 'deputies', 'id', d.id), 'deputy-ended:' || d.id);
  return pg_catalog.json_build_object('user', d.user_id, 'name', v_name, 'deputy', d.deputy_id);
end $$;

-- Tells each deputy once that their time begins. Answers how many were told.
create function quorate.begin_deputies() returns int language plpgsql security definer set search_path = '' as $$
declare d quorate.deputies; v_count int := 0; v_name text;
begin
  perform quorate.require_session();
  for d in select * from quorate.deputies x where x.ended_at is null and x.told_at is null and x.from_at <= pg_catalog.clock_timestamp()
    order by x.from_at limit 200 for update skip locked loop
    update quorate.deputies x set told_at = pg_catalog.clock_timestamp() where x.id = d.id;
    continue when d.until_at <= pg_catalog.clock_timestamp();
    select m.name into v_name from quorate.members m where m.workspace_id = d.workspace_id and m.user_id = d.user_id;
    perform quorate.notify(d.workspace_id, array[d.deputy_id], 'approval', 'notifyDeputyBegins',
      pg_catalog.jsonb_build_object('name', v_name, 'until', quorate.deputy_time(d.until_at)),
      pg_catalog.jsonb_build_object('kind', 'deputies', 'id', d.id), 'deputy-begins:' || d.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end $$;

-- Forgets deputies whose time ended a month ago; the log keeps them.
create function quorate.forget_deputies() returns void language sql security definer set search_path = '' as $$
  select quorate.require_session();
  delete from quorate.deputies x where coalesce(x.ended_at, x.until_at) < pg_catalog.clock_timestamp() - interval '30 days'
$$;

create constraint trigger audited after insert on quorate.deputies
  deferrable initially deferred for each row execute function quorate.require_audit_event();
create constraint trigger audited_update after update on quorate.deputies deferrable initially deferred for each row
  when (new.ended_at is distinct from old.ended_at) execute function quorate.require_audit_event();

create policy read_deputies on quorate.deputies for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null);

grant select on quorate.deputies to quorate_member;
revoke all on function quorate.absence_of(uuid, uuid), quorate.deputy_time(timestamptz),
  quorate.deputy_refusal(uuid, uuid, timestamptz, timestamptz),
  quorate.name_deputy(uuid, uuid, uuid, timestamptz, timestamptz, text), quorate.end_deputy(uuid), quorate.begin_deputies(),
  quorate.forget_deputies() from public;
grant execute on function quorate.name_deputy(uuid, uuid, uuid, timestamptz, timestamptz, text), quorate.end_deputy(uuid)
  to quorate_member;
grant execute on function quorate.begin_deputies(), quorate.forget_deputies() to quorate_app;
