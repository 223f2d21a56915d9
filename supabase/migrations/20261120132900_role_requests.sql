-- Who makes an approver makes somebody who can release what they themselves start: where there is a second person to ask, they agree first.

create table quorate.role_requests (
  id uuid primary key,
  workspace_id uuid not null,
  user_id uuid not null,
  roles text[] not null check (cardinality(roles) > 0 and roles <@ array['user', 'builder', 'approver', 'auditor', 'admin']),
  requested_by uuid not null,
  created_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  outcome text check (outcome in ('granted', 'refused', 'withdrawn')),
  foreign key (workspace_id, user_id) references quorate.members (workspace_id, user_id) on delete cascade
);
create unique index role_requests_one_open on quorate.role_requests (workspace_id, user_id) where outcome is null;
alter table quorate.role_requests enable row level security;
grant select on quorate.role_requests to quorate_member;
grant insert (id, workspace_id, user_id, roles, requested_by) on quorate.role_requests to quorate_member;
create policy read_requests on quorate.role_requests for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null and ((select quorate.has_role('admin', 'approver')) or user_id = (select quorate.current_user_id())));
create policy admin_requests on quorate.role_requests for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null and requested_by = (select quorate.current_user_id()) and (select quorate.has_role('admin')));
create constraint trigger audited after insert or update on quorate.role_requests deferrable initially deferred for each row execute function quorate.require_audit_event();

-- Somebody other than these two who could agree: an admin or an approver.
create function quorate.has_second_person(p_workspace uuid, p_first uuid, p_subject uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from quorate.members m where m.workspace_id = p_workspace and m.user_id not in (p_first, p_subject) and m.roles && array['admin', 'approver'])
$$;

create function quorate.guard_approver_grant() returns trigger language plpgsql set search_path = '' as $$
begin
  -- the function below changes roles as the owner, after a second person has agreed
  if current_user = 'quorate_member' and quorate.has_second_person(new.workspace_id, quorate.current_user_id(), new.user_id) then
    raise exception 'a second person agrees to a new approver' using errcode = 'QM002';
  end if;
  return new;
end $$;
create trigger guard_approver_grant before update of roles on quorate.members for each row
  when ('approver' = any (new.roles) and not 'approver' = any (old.roles)) execute function quorate.guard_approver_grant();

-- The second person grants or refuses; who asked may take it back. What was asked by somebody who is no admin any more is not granted.
create function quorate.decide_role_request(p_request uuid, p_outcome text) returns table (user_id uuid, name text, before text[], roles text[])
language plpgsql security definer set search_path = '' as $$
declare r quorate.role_requests; m quorate.members; v_me uuid := quorate.current_user_id();
begin
  select * into r from quorate.role_requests x where x.id = p_request and x.workspace_id = quorate.current_workspace_id() for update;
  if r.id is null then raise exception 'no such request' using errcode = 'QP004'; end if;
  if r.outcome is not null then raise exception 'decided already' using errcode = 'QP006'; end if;
  if quorate.current_key_id() is not null then raise exception 'a key decides nothing' using errcode = 'QP005'; end if;
  if p_outcome = 'withdrawn' then
    if r.requested_by <> v_me then raise exception 'who asked takes it back' using errcode = 'QP005'; end if;
  elsif p_outcome not in ('granted', 'refused') or v_me in (r.requested_by, r.user_id) or not quorate.has_role('admin', 'approver') then
    raise exception 'a second person decides' using errcode = 'QP005';
  end if;
  if p_outcome = 'granted' and not exists (select from quorate.members a where a.workspace_id = r.workspace_id and a.user_id = r.requested_by and 'admin' = any (a.roles)) then
    raise exception 'who asked is no admin any more' using errcode = 'QP005';
  end if;
  select * into m from quorate.members x where x.workspace_id = r.workspace_id and x.user_id = r.user_id for update;
  update quorate.role_requests x set outcome = p_outcome, decided_by = v_me, decided_at = now() where x.id = r.id;
  if p_outcome = 'granted' then
    update quorate.members x set roles = r.roles where x.workspace_id = r.workspace_id and x.user_id = r.user_id;
  end if;
  return query select m.user_id, m.name, m.roles, r.roles;
end $$;

-- As before, and an invitation does not go around the second person: the new member gets the other roles, and the request waits.
create or replace function quorate.answer_invitation(p_token_hash bytea, p_user uuid, p_session uuid, p_accept boolean, p_name text, p_event uuid) returns uuid
language plpgsql security definer set search_path = '' as $$
declare i quorate.invitations; v_email text; v_name text; v_roles text[]; v_waits boolean;
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now())) then raise exception 'session is over' using errcode = 'QP001'; end if;
  select u.email into v_email from auth.users u where u.id = p_user and u.email_confirmed_at is not null;
  select * into i from quorate.invitations x where x.token_hash = p_token_hash for update;
  if i.id is null or i.accepted_at is not null or i.declined_at is not null or i.withdrawn_at is not null or i.expires_at <= now() then raise exception 'invitation is over' using errcode = 'QP006'; end if;
  if v_email is null or lower(v_email) <> lower(i.email) then raise exception 'invitation is for another address' using errcode = 'QP007'; end if;
  update quorate.invitations x set accepted_at = case when p_accept then now() end, declined_at = case when not p_accept then now() end where x.id = i.id;
  select coalesce(nullif(p.display_name, ''), p_name) into v_name from public.profiles p where p.id = p_user;
  v_name := coalesce(v_name, p_name);
  v_waits := p_accept and 'approver' = any (i.roles) and quorate.has_second_person(i.workspace_id, i.invited_by, p_user)
    and not exists (select from quorate.members m where m.workspace_id = i.workspace_id and m.user_id = p_user);
  v_roles := case when v_waits then array_remove(i.roles, 'approver') else i.roles end;
  if cardinality(v_roles) = 0 then v_roles := '{user}'; end if;
  if p_accept then
    insert into public.profiles (id, display_name) values (p_user, p_name) on conflict (id) do nothing;
    insert into quorate.members (workspace_id, user_id, roles, name, email) values (i.workspace_id, p_user, v_roles, v_name, v_email) on conflict (workspace_id, user_id) do nothing;
  end if;
  if v_waits then
    insert into quorate.role_requests (id, workspace_id, user_id, roles, requested_by) values (pg_catalog.gen_random_uuid(), i.workspace_id, p_user, i.roles, i.invited_by);
  end if;
  insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, resource_name, payload, salt)
    values (p_event, i.workspace_id, 'member', p_user, v_name, case when p_accept then 'invitation.accepted' else 'invitation.declined' end, 'invitation', i.id::text, i.email, jsonb_build_object('roles', v_roles, 'waitsForSecondPerson', v_waits), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
  return i.workspace_id;
end $$;

revoke all on function quorate.has_second_person(uuid, uuid, uuid), quorate.decide_role_request(uuid, text) from public;
grant execute on function quorate.has_second_person(uuid, uuid, uuid), quorate.decide_role_request(uuid, text) to quorate_member;
