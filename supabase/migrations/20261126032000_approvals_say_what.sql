-- An approval's sentence: its page, lists, notifications and mails say what it would do.

-- The words of an approval's sentence, out of what its digest covers: of a call its name and its first values, of a question the sentence
-- that its step made. Null where the question is what became of a call.
create function quorate.asked_of(p_subject json) returns jsonb language sql immutable parallel safe set search_path = '' as $$
  select case when p_subject -> 'outcome' is null then pg_catalog.jsonb_build_object(
    'action', p_subject #>> '{capability,name}',
    'sentence', case when p_subject #>> '{capability,name}' is null then p_subject #> '{input,sentence}' end,
    'values', (
      select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(pg_catalog."left"(e.key, 80), case pg_catalog.json_typeof(e.value)
        when 'string' then pg_catalog.to_jsonb(pg_catalog."left"(e.value #>> '{}', 80)) else e.value::jsonb end) order by e.place)
      from (
        select m.key, m.value, m.place from pg_catalog.json_each(
          case pg_catalog.json_typeof(p_subject -> 'input') when 'object' then p_subject -> 'input' else '{}'::json end
        ) with ordinality m (key, value, place)
        where pg_catalog.json_typeof(m.value) = 'string'
          or (pg_catalog.json_typeof(m.value) in ('number', 'object') and pg_catalog.length(m.value::text) <= 100)
        order by m.place limit 12
      ) e
    )) end
$$;
revoke all on function quorate.asked_of(json) from public;
grant execute on function quorate.asked_of(json) to quorate_member;

-- An approval waits: whoever may decide it is told.
create or replace function quorate.notify_approvers() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_asker text;
begin
  select m.name into v_asker from quorate.members m where m.workspace_id = new.workspace_id and m.user_id = new.requested_by;
  perform quorate.notify(new.workspace_id,
    pg_catalog.array_remove(pg_catalog.array_remove(quorate.members_with(new.workspace_id, new.role), new.requested_by),
    new.version_author_id),
    'approval', 'notifyApprovalWaiting', pg_catalog.jsonb_build_object('title', new.title, 'name', coalesce(v_asker, '–')),
    pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id, 'asked', quorate.asked_of(new.subject)), 'approval:' || new.id);
  return null;
end $$;

-- It is decided: who asked. For all others nothing waits any more.
create or replace function quorate.notify_decision() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update quorate.notifications n set read_at = pg_catalog.clock_timestamp(), queued_at = coalesce(n.queued_at, pg_catalog.clock_timestamp())
    where n.once = 'approval:' || new.id and n.read_at is null;
  if new.status in ('approved', 'rejected', 'expired') then
    perform quorate.notify(new.workspace_id, array[new.requested_by], 'approval',
      case new.status when 'approved' then 'notifyApprovalApproved' when 'rejected' then
        'notifyApprovalRejected' else 'notifyApprovalExpired' end,
      pg_catalog.jsonb_build_object('title', new.title),
      pg_catalog.jsonb_build_object('kind', 'approval', 'id', new.id, 'asked', quorate.asked_of(new.subject)),
      'approval-' || new.status || ':' || new.id);
  end if;
  return null;
end $$;
