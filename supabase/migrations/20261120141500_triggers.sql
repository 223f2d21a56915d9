-- Schedules and webhooks start runs. A trigger acts as the publisher of the version in force and ends with their membership.

alter table quorate.triggers add column name text not null default '';
alter table quorate.triggers add column next_at timestamptz;      -- of a schedule: when it is due; null: never again
alter table quorate.triggers add column last_at timestamptz;      -- when it last tried to start a run
alter table quorate.triggers add column last_run_id uuid;
alter table quorate.triggers add column last_refusal text;        -- why the last attempt started nothing
create index triggers_due on quorate.triggers (next_at) where enabled and kind = 'schedule';
create index triggers_list on quorate.triggers (workspace_id, created_at desc);

-- What is due, over all workspaces: names only what may act, so that one whose publisher has left is not tried for ever.
create function quorate.list_due_triggers(p_now timestamptz, p_limit int) returns table (trigger_id uuid)
language sql stable security definer set search_path = '' as $$
  select t.id from quorate.triggers t
    join quorate.artifacts a on a.id = t.artifact_id and a.deleted_at is null
    join quorate.versions v on v.id = a.published_version_id
    join quorate.members m on m.workspace_id = t.workspace_id and m.user_id = v.author_id
  where t.enabled and t.kind = 'schedule' and t.next_at <= p_now order by t.next_at limit least(p_limit, 1000)
$$;

-- `p_lock`: for a schedule, of which one worker at a time may decide; who comes second finds nothing.
create function quorate.become_trigger(p_trigger uuid, p_lock boolean)
  returns table (trigger_id uuid, trigger_name text, kind text, workspace_id uuid, artifact_id uuid, artifact_name text, version_id uuid,
    document jsonb, user_id uuid, settings jsonb, secret_sealed bytea, next_at timestamptz)
language plpgsql security definer set search_path = '' as $$
declare t quorate.triggers; a quorate.artifacts; v quorate.versions; v_roles text[];
begin
  if p_lock then
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled for update skip locked;
  else
    select * into t from quorate.triggers x where x.id = p_trigger and x.enabled;
  end if;
  select * into a from quorate.artifacts x where x.id = t.artifact_id and x.workspace_id = t.workspace_id and x.kind = 'workflow' and x.deleted_at is null;
  select * into v from quorate.versions x where x.id = a.published_version_id;
  if t.id is null or v.id is null then raise exception 'no such trigger' using errcode = 'QP004'; end if;
  select m.roles into v_roles from quorate.members m where m.workspace_id = t.workspace_id and m.user_id = v.author_id;
  if v_roles is null then raise exception 'not a member' using errcode = 'QP002'; end if;
  -- a trigger starts runs: it neither decides nor administers, whatever its publisher may
  v_roles := array(select distinct r from unnest(v_roles || '{user}') r where r in ('user', 'builder') order by 1);
  perform set_config('quorate.user_id', v.author_id::text, true), set_config('quorate.workspace_id', t.workspace_id::text, true),
    set_config('quorate.roles', array_to_string(v_roles, ','), true), set_config('quorate.key_id', '', true),
    set_config('quorate.trigger_id', t.id::text, true);
  return query select t.id, t.name, t.kind, t.workspace_id, a.id, a.name, v.id, v.document, v.author_id, t.settings, t.secret_sealed, t.next_at;
end $$;

-- What a trigger says of itself. The run or the refusal, and when it is due again, commit together.
create function quorate.mark_trigger(p_at timestamptz, p_next timestamptz, p_run uuid, p_refusal text) returns void
language sql security definer set search_path = '' as $$
  update quorate.triggers t set last_at = p_at, next_at = p_next, last_run_id = coalesce(p_run, t.last_run_id), last_refusal = p_refusal
  where t.id = nullif(current_setting('quorate.trigger_id', true), '')::uuid
$$;

create function quorate.current_trigger_id() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('quorate.trigger_id', true), '')::uuid
$$;

alter policy append on quorate.audit_events
  with check (workspace_id = (select quorate.current_workspace_id()) and actor_id = coalesce((select quorate.current_key_id()), (select quorate.current_user_id()))
    and actor_kind = case when (select quorate.current_trigger_id()) is not null then 'trigger' when (select quorate.current_key_id()) is not null then 'key' else 'member' end
    and leaf_index is null);

revoke all on function quorate.list_due_triggers(timestamptz, int), quorate.become_trigger(uuid, boolean), quorate.mark_trigger(timestamptz, timestamptz, uuid, text), quorate.current_trigger_id() from public;
grant execute on function quorate.list_due_triggers(timestamptz, int), quorate.become_trigger(uuid, boolean) to quorate_app;
grant execute on function quorate.mark_trigger(timestamptz, timestamptz, uuid, text), quorate.current_trigger_id() to quorate_member;
