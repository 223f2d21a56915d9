-- Steps that wait for a person to sign in to a connection: their call was refused before it did anything.

create table quorate.sign_in_waits (
  run_id uuid not null,
  path text not null,
  workspace_id uuid not null,
  connection_id uuid not null,
  user_id uuid, -- whose account is needed; null: the workspace's
  host text not null check (length(host) between 1 and 260),
  scope text check (length(scope) <= 4000), -- what the call needs, where the server says so
  since timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  primary key (run_id, path),
  foreign key (workspace_id, run_id) references quorate.runs (workspace_id, id) on delete cascade,
  foreign key (workspace_id, connection_id) references quorate.connections (workspace_id, id) on delete cascade
);
create index sign_in_waits_connection on quorate.sign_in_waits (connection_id);
alter table quorate.sign_in_waits enable row level security;

-- Serialises a wait that begins with a consent that is given at the same moment.
create function quorate.sign_in_lock(p_connection uuid, p_user uuid) returns bigint language sql immutable parallel safe as $$
  select pg_catalog.hashtextextended('sign-in:' || p_connection || coalesce('/' || p_user, ''), 0)
$$;

create function quorate.sign_in_once(p_run uuid, p_path text) returns text language sql immutable parallel safe as $$
  select 'sign-in:' || p_run || ':' || p_path
$$;

-- The step, which its worker has written as pending until p_wait.dueAt, waits: whoever can sign in is told. { state }: waiting; ready:
-- somebody has signed in since p_wait.since; over: it has waited for all its time. p_wait: { connection, user, host, scope, since, dueAt }.
create function quorate.await_sign_in(p_workspace uuid, p_run uuid, p_attempt int, p_path text, p_wait jsonb) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  r quorate.runs; w quorate.sign_in_waits; v_connection uuid := (p_wait ->> 'connection')::uuid; v_user uuid := (p_wait ->> 'user')::uuid;
  v_name text; v_workflow text; v_since timestamptz := (p_wait ->> 'since')::timestamptz;
begin
  perform quorate.require_session();
  r := quorate.hold_run(p_workspace, p_run, p_attempt);
  if r.id is null then return '{"state":"fenced"}'; end if;
  perform pg_catalog.pg_advisory_xact_lock(quorate.sign_in_lock(v_connection, v_user));
  select * into w from quorate.sign_in_waits x where x.run_id = p_run and x.path = p_path;
  if exists (select from quorate.oauth_grants g where g.connection_id = v_connection and g.user_id is not distinct from v_user
    and g.status = 'active' and g.granted_at > v_since) then
    delete from quorate.sign_in_waits x where x.run_id = p_run and x.path = p_path;
    return '{"state":"ready"}';
  end if;
  if w.run_id is not null and w.due_at <= clock_timestamp() then
    perform quorate.end_sign_in_wait(p_run, p_path);
    return '{"state":"over"}';
  end if;
  insert into quorate.sign_in_waits as x (run_id, path, workspace_id, connection_id, user_id, host, scope, due_at)
  values (p_run, p_path, p_workspace, v_connection, v_user, p_wait ->> 'host', p_wait ->> 'scope', (p_wait ->> 'dueAt')::timestamptz)
  on conflict (run_id, path) do update set connection_id = v_connection, user_id = v_user, host = excluded.host, scope = excluded.scope;
  select c.name into v_name from quorate.connections c where c.id = v_connection and c.workspace_id = p_workspace;
  select a.name into v_workflow from quorate.artifacts a where a.id = r.artifact_id;
  perform quorate.notify(p_workspace,
    case when v_user is null then quorate.members_with(p_workspace, 'builder', 'admin') else array[v_user] end, 'task', 'notifySignIn',
    pg_catalog.jsonb_build_object('title', v_name, 'workflow', v_workflow, 'host', p_wait ->> 'host'),
    pg_catalog.jsonb_build_object('kind', 'signIn', 'id', v_connection), quorate.sign_in_once(p_run, p_path));
  return '{"state":"waiting"}';
end $$;

-- Nobody has to look at it any longer.
create function quorate.end_sign_in_wait(p_run uuid, p_path text) returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from quorate.sign_in_waits w where w.run_id = p_run and w.path = p_path;
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = quorate.sign_in_once(p_run, p_path) and n.read_at is null;
end $$;

-- A member has signed in, for themselves or for the workspace: the steps that waited for it are due now, each once. Answers their runs,
-- which the caller queues.
create function quorate.wake_signed_in(p_connection uuid, p_user uuid) returns setof uuid
language plpgsql security definer set search_path = '' as $$
declare w quorate.sign_in_waits;
begin
  if p_user is distinct from quorate.current_user_id() and not (p_user is null and quorate.has_role('builder', 'admin')) then
    raise exception 'signed in for another' using errcode = '42501';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(quorate.sign_in_lock(p_connection, p_user));
  for w in select * from quorate.sign_in_waits x where x.connection_id = p_connection and x.user_id is not distinct from p_user
    and x.workspace_id = quorate.current_workspace_id() order by x.run_id, x.path loop
    update quorate.steps s set next_attempt_at = pg_catalog.clock_timestamp()
      where s.run_id = w.run_id and s.path = w.path and s.status = 'pending';
    update quorate.runs r set wake = true where r.id = w.run_id and r.status in ('pending', 'processing', 'waiting');
    if found then return next w.run_id; end if;
    perform quorate.end_sign_in_wait(w.run_id, w.path);
  end loop;
end $$;

-- Visible to all who see the run, and to those whose account is needed.
create policy read_waits on quorate.sign_in_waits for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and (user_id = (select quorate.current_user_id()) or exists (select from quorate.runs r where r.id = run_id)));
create policy key_reads on quorate.sign_in_waits as restrictive for select to quorate_member using ((select quorate.key_may('runs:read')));

grant select on quorate.sign_in_waits to quorate_member;
revoke all on function quorate.sign_in_lock(uuid, uuid), quorate.sign_in_once(uuid, text),
  quorate.await_sign_in(uuid, uuid, int, text, jsonb), quorate.end_sign_in_wait(uuid, text),
  quorate.wake_signed_in(uuid, uuid) from public;
grant execute on function quorate.await_sign_in(uuid, uuid, int, text, jsonb) to quorate_worker;
grant execute on function quorate.wake_signed_in(uuid, uuid) to quorate_member;
