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
  delete from quorate.caught_mails m using quorate.approval_comments c
    where c.workspace_id = p_workspace and c.author_id = p_user
      and pg_catalog.strpos(m.text_body, '/dashboard/approvals/' || c.approval_id::text) > 0;
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
