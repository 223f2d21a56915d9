-- Words under an approval: comments, questions to the person who asked for it, and their answers. None of them changes the action, its
-- digest, its due time or who may vote.

create table quorate.approval_comments (
  id uuid primary key,
  workspace_id uuid not null,
  approval_id uuid not null,
  author_id uuid not null,
  author_name text not null, -- empty once the person is erased, as is the text
  kind text not null check (kind in ('comment', 'question', 'answer')),
  question_id uuid, -- of an answer: the question
  text text not null check (length(text) <= 2000),
  written_at timestamptz not null default clock_timestamp(),
  unique (workspace_id, id),
  foreign key (workspace_id, approval_id) references quorate.approvals (workspace_id, id) on delete cascade,
  foreign key (workspace_id, question_id) references quorate.approval_comments (workspace_id, id) on delete cascade,
  check ((kind = 'answer') = (question_id is not null))
);
create index approval_comments_list on quorate.approval_comments (approval_id, written_at, id);
create unique index approval_comments_one_answer on quorate.approval_comments (question_id) where question_id is not null;
create index approval_comments_author on quorate.approval_comments (author_id);
alter table quorate.approval_comments enable row level security;

-- Whether this member may ask the requester back: whoever may decide, as long as the requester is a member who can answer.
create function quorate.may_ask_back(p_approval uuid) returns boolean language sql stable security definer set search_path = '' as $$
  select coalesce((select quorate.approval_refusal(a, quorate.current_user_id()) is null
      and exists (select from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = a.requested_by)
    from quorate.approvals a where a.id = p_approval and a.workspace_id = quorate.current_workspace_id()), false)
$$;

-- Writes a comment, a question or, with p_question, an answer. Answers { runId, step, title } of the approval.
create function quorate.write_approval_comment(p_id uuid, p_approval uuid, p_kind text, p_question uuid, p_text text) returns json
language plpgsql security definer set search_path = '' as $$
declare
  a quorate.approvals; q quorate.approval_comments; v_user uuid := quorate.current_user_id(); v_name text;
  v_about jsonb := pg_catalog.jsonb_build_object('kind', 'approval', 'id', p_approval);
begin
  select m.name into v_name from quorate.members m where m.workspace_id = quorate.current_workspace_id() and m.user_id = v_user;
  select * into a from quorate.approvals x where x.id = p_approval and x.workspace_id = quorate.current_workspace_id()
    and (quorate.sees_all_runs() or x.requested_by = v_user);
  if a.id is null or v_name is null or quorate.current_key_id() is not null then
    raise exception 'no such approval' using errcode = 'QC001';
  end if;
  if p_kind = 'question' and not quorate.may_ask_back(a.id) then
    raise exception 'only who may decide asks back' using errcode = 'QC002';
  end if;
  if p_kind = 'answer' then
    select * into q from quorate.approval_comments c where c.id = p_question and c.approval_id = a.id and c.kind = 'question' for update;
    if q.id is null or a.requested_by <> v_user then raise exception 'only the requester answers' using errcode = 'QC003'; end if;
    if exists (select from quorate.approval_comments c where c.question_id = q.id) then
      raise exception 'it is answered' using errcode = 'QC004';
    end if;
  end if;
  if (select count(*) from quorate.approval_comments c where c.approval_id = a.id) >= 500 then
    raise exception 'one page shows them all' using errcode = 'QC005';
  end if;
  insert into quorate.approval_comments (id, workspace_id, approval_id, author_id, author_name, kind, question_id, text)
    values (p_id, a.workspace_id, a.id, v_user, v_name, p_kind, q.id, p_text);
  if p_kind = 'question' then
    perform quorate.notify(a.workspace_id, array[a.requested_by], 'approval', 'notifyApprovalQuestion',
      pg_catalog.jsonb_build_object('title', a.title), v_about, 'question:' || p_id);
  elsif p_kind = 'answer' then
    update quorate.notifications n set read_at = pg_catalog.clock_timestamp(),
      queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp()) where n.once = 'question:' || q.id and n.read_at is null;
    perform quorate.notify(a.workspace_id, array[q.author_id], 'approval', 'notifyApprovalAnswer',
      pg_catalog.jsonb_build_object('title', a.title), v_about, 'answer:' || p_id);
  end if;
  return pg_catalog.json_build_object('runId', a.run_id, 'step', a.step_path, 'title', a.title);
end $$;

-- Nobody needs an answer any longer once the approval is decided.
create function quorate.close_questions() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.read_at is null and n.once in (
      select 'question:' || c.id from quorate.approval_comments c where c.approval_id = new.id and c.kind = 'question');
  return null;
end $$;

-- Takes a person out of the comments of a workspace: their own words, and their names and addresses in those of others.
create function quorate.erase_approval_comments(p_workspace uuid, p_user uuid, p_names text[]) returns void
language plpgsql security definer set search_path = '' as $$
declare v_name text;
begin
  update quorate.approval_comments c set author_name = '', text = '' where c.workspace_id = p_workspace and c.author_id = p_user;
  foreach v_name in array p_names loop
    continue when pg_catalog.length(v_name) < 3;
    update quorate.approval_comments c set text = pg_catalog.regexp_replace(c.text, v_name, '', 'giq')
      where c.workspace_id = p_workspace and pg_catalog.strpos(pg_catalog.lower(c.text), pg_catalog.lower(v_name)) > 0;
  end loop;
end $$;

create constraint trigger audited after insert on quorate.approval_comments
  deferrable initially deferred for each row execute function quorate.require_audit_event();
-- An erasure alone changes a row, and only takes words away.
create trigger immutable before update on quorate.approval_comments for each row
  when ((pg_catalog.to_jsonb(new) - 'author_name' - 'text') is distinct from (pg_catalog.to_jsonb(old) - 'author_name' - 'text')
    or new.author_name not in (old.author_name, '')
    or (new.text <> old.text and pg_catalog.length(new.text) >= pg_catalog.length(old.text)))
  execute function quorate.refuse_change();
create trigger close_questions after update of status on quorate.approvals for each row
  when (old.status = 'pending' and new.status <> 'pending') execute function quorate.close_questions();

-- As the approval.
create policy read_comments on quorate.approval_comments for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id())
    and ((select quorate.sees_all_runs()) or exists (select from quorate.approvals a where a.id = approval_id)));
create policy key_reads on quorate.approval_comments as restrictive for select to quorate_member
  using ((select quorate.key_may('approvals:read')));

grant select on quorate.approval_comments to quorate_member;
revoke all on function quorate.may_ask_back(uuid), quorate.write_approval_comment(uuid, uuid, text, uuid, text), quorate.close_questions(),
  quorate.erase_approval_comments(uuid, uuid, text[]) from public;
grant execute on function quorate.may_ask_back(uuid), quorate.write_approval_comment(uuid, uuid, text, uuid, text) to quorate_member;

-- What a person wrote under approvals is theirs to take out, and is erased with them.
create or replace function quorate.export_own_data() returns json language plpgsql stable security definer set search_path = '' as $$
declare p uuid := quorate.current_user_id(); v_email text;
begin
  if p is null or quorate.current_key_id() is not null then
    raise exception 'only people have data of their own' using errcode = 'QP005';
  end if;
  select u.email into v_email from auth.users u where u.id = p;
  return pg_catalog.json_build_object(
    'profile', (select pg_catalog.to_json(x) from public.profiles x where x.id = p),
    'account', (select pg_catalog.json_build_object('id', u.id, 'email', u.email, 'createdAt', u.created_at,
      'emailConfirmedAt', u.email_confirmed_at, 'lastSignInAt', u.last_sign_in_at) from auth.users u where u.id = p),
    'memberships', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspace', w.name, 'workspaceId', w.id,
      'name', m.name, 'email', m.email, 'roles', m.roles, 'since', m.created_at) order by m.created_at), '[]')
      from quorate.members m join quorate.workspaces w on w.id = m.workspace_id where m.user_id = p),
    'invitations', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('workspaceId', i.workspace_id, 'email', i.email,
      'roles', i.roles, 'sentAt', i.created_at, 'acceptedAt', i.accepted_at, 'declinedAt', i.declined_at) order by i.created_at), '[]')
      from quorate.invitations i where lower(i.email) = lower(v_email)),
    'sessions', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(s) - 'user_id' order by s.last_seen_at desc), '[]')
      from quorate.user_sessions s where s.user_id = p),
    'apiKeys', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(k) - 'key_hash' - 'user_id' order by k.created_at), '[]')
      from quorate.api_keys k where k.user_id = p),
    'preferences', (select x.settings from quorate.preferences x where x.user_id = p),
    'memberSettings', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(x) - 'user_id' order by x.workspace_id), '[]')
      from quorate.member_settings x where x.user_id = p),
    'savedViews', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(v) - 'user_id' order by v.created_at), '[]')
      from quorate.saved_views v where v.user_id = p),
    'notifications', (select coalesce(pg_catalog.jsonb_agg(pg_catalog.to_jsonb(n) - 'user_id' order by n.created_at), '[]')
      from quorate.notifications n where n.user_id = p),
    'files', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('name', f.name, 'mediaType', f.media_type,
      'createdAt', f.created_at, 'content', pg_catalog.encode(f.content, 'base64')) order by f.created_at), '[]')
      from quorate.files f where f.owner_id = p),
    'approvalVotes', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', v.approval_id, 'vote', v.vote,
      'reason', v.reason, 'votedAt', v.voted_at) order by v.voted_at), '[]') from quorate.approval_votes v where v.user_id = p),
    'approvalComments', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('approvalId', c.approval_id, 'kind', c.kind,
      'text', c.text, 'writtenAt', c.written_at) order by c.written_at), '[]') from quorate.approval_comments c where c.author_id = p),
    'tasksAnswered', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', t.id, 'workspaceId', t.workspace_id,
      'title', t.title, 'answer', t.answer, 'answeredAt', t.answered_at) order by t.answered_at), '[]')
      from quorate.human_tasks t where t.answered_by = p),
    'runsStarted', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', r.id, 'workspaceId', r.workspace_id,
      'number', r.number, 'subject', r.subject, 'mode', r.mode, 'status', r.status, 'input', r.input, 'createdAt', r.created_at)
      order by r.created_at), '[]')
      from quorate.runs r where r.initiator_id = p),
    'auditEvents', (select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object('id', e.id, 'workspaceId', e.workspace_id,
      'action', e.action, 'resourceKind', e.resource_kind, 'resourceId', e.resource_id, 'resourceName', e.resource_name,
      'payload', e.payload, 'at', e.at) order by e.at), '[]') from quorate.audit_events e where e.actor_id = p),
    'newsletter', (select pg_catalog.json_build_object('language', n.language, 'subscribedAt', n.subscribed_at)
      from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email)),
    'contactRequests', (select coalesce(pg_catalog.json_agg(pg_catalog.to_json(c) order by c.created_at), '[]')
      from quorate.contact_requests c where lower(c.email) = lower(v_email))
  );
end $$;
create or replace function quorate.delete_account(p_user uuid, p_session uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare v_email text; w uuid; v_gone uuid[]; v_erased jsonb; v_names text[];
begin
  if not exists (select from auth.sessions s where s.id = p_session and s.user_id = p_user and (s.not_after is null or s.not_after > now()))
    then
    raise exception 'session is over' using errcode = 'QP001';
  end if;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('account:' || p_user::text, 0));
  perform pg_catalog.set_config('quorate.user_id', p_user::text, true), pg_catalog.set_config('quorate.key_id', '', true);
  if exists (select from quorate.list_own_farewells() f where f.fate = 'blocks') then raise exception 'a workspace needs an admin'
    using errcode = 'QM001'; end if;
  v_gone := array(select f.workspace_id from quorate.list_own_farewells() f where f.fate = 'goes');
  -- a body can be erased once its digest stands in the tree
  if exists (select from quorate.audit_events e
    where e.leaf_index is null and (e.actor_id = p_user or e.resource_id = p_user::text or e.workspace_id = any (v_gone))) then
    raise exception 'the log has not caught up' using errcode = 'QM003';
  end if;
  select u.email into v_email from auth.users u where u.id = p_user;

  foreach w in array v_gone loop
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'workspace.deleted', 'workspace', w::text, '{}',
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) || pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    delete from quorate.runs r where r.workspace_id = w;
    update quorate.artifacts a set published_version_id = null where a.workspace_id = w and a.published_version_id is not null;
    delete from quorate.artifacts a where a.workspace_id = w;
    delete from quorate.workspaces x where x.id = w;
  end loop;

  -- also where they were once: their votes and the entries by and about them carry their name
  for w in select distinct x.workspace_id from (
      select m.workspace_id from quorate.members m where m.user_id = p_user
      union all select v.workspace_id from quorate.approval_votes v where v.user_id = p_user
      union all select c.workspace_id from quorate.approval_comments c where c.author_id = p_user
      union all select i.workspace_id from quorate.invitations i where lower(i.email) = lower(v_email)
      union all select e.workspace_id from quorate.audit_events e where e.salt is not null and (e.actor_id = p_user
        or (e.resource_kind = 'member' and e.resource_id = p_user::text)
          or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) x
    where exists (select from quorate.workspaces s where s.id = x.workspace_id) loop
    -- what is erased below, as stretches of the log: a blank body that no entry names could have been blanked by anybody
    select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(s.low, s.high) order by s.low), '[]') into v_erased from (
      select min(p.leaf_index) as low, max(p.leaf_index) + 1 as high from (
        select e.leaf_index, e.leaf_index - pg_catalog.row_number() over (order by e.leaf_index) as stretch from quorate.audit_events e
        where e.workspace_id = w and e.leaf_index is not null and e.salt is not null and (e.actor_id = p_user
          or (e.resource_kind = 'member' and e.resource_id = p_user::text)
            or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)))) p
      group by p.stretch) s;
    insert into quorate.audit_events (id, workspace_id, actor_kind, actor_id, action, resource_kind, resource_id, payload, salt)
      values (pg_catalog.gen_random_uuid(), w, 'member', p_user, 'account.deleted', 'member', p_user::text,
        pg_catalog.jsonb_build_object('erased', v_erased), pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) ||
        pg_catalog.uuid_send(pg_catalog.gen_random_uuid()));
    v_names := array(select v_email
      union select m.name from quorate.members m where m.workspace_id = w and m.user_id = p_user
      union select v.voter_name from quorate.approval_votes v where v.workspace_id = w and v.user_id = p_user
      union select c.author_name from quorate.approval_comments c where c.workspace_id = w and c.author_id = p_user);
    perform quorate.erase_run_texts(w, p_user, v_names), quorate.erase_approval_comments(w, p_user, v_names);
    update quorate.approval_votes v set voter_name = '' where v.workspace_id = w and v.user_id = p_user;
    delete from quorate.invitations i where i.workspace_id = w and lower(i.email) = lower(v_email);
    delete from quorate.members m where m.workspace_id = w and m.user_id = p_user;
  end loop;

  update quorate.audit_events e set actor_name = null, salt = null where e.actor_id = p_user and e.leaf_index is not null;
  update quorate.audit_events e set actor_name = case when e.actor_id = p_user then
    null else e.actor_name end, resource_name = null, payload = '{}', salt = null
    where e.leaf_index is not null
      and ((e.resource_kind = 'member' and e.resource_id = p_user::text)
      or (e.resource_kind = 'invitation' and lower(e.resource_name) = lower(v_email)));
  update quorate.audit_events e set actor_name = null, resource_name = null, payload = '{}', salt = null
    where e.workspace_id = any (v_gone) and e.leaf_index is not null;
  delete from quorate.deliveries d where lower(d.target) = lower(v_email);
  delete from quorate.caught_mails c where lower(c.recipient) = lower(v_email);
  delete from quorate.newsletter_subscribers n where lower(n.email) = lower(v_email);
  delete from quorate.contact_requests c where lower(c.email) = lower(v_email);
  delete from quorate.notifications n where n.user_id = p_user;
  delete from quorate.saved_views v where v.user_id = p_user;
  delete from quorate.files f where f.owner_id = p_user;
  delete from quorate.preferences x where x.user_id = p_user;
  delete from quorate.user_sessions s where s.user_id = p_user;
  -- profile and sessions go with it
  delete from auth.users u where u.id = p_user;
end $$;
