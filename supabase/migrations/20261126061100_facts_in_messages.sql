-- Messages about an approval hold its question and its facts, and webhooks are sent in the form that their receiver reads.
alter table quorate.deliveries add column format text not null default 'json' check (format in ('json', 'slack', 'teams'));

-- The values of an action in their order: of a question those that its author shows, of a call its input.
create function quorate.shown_of(p_subject json) returns json language sql immutable parallel safe set search_path = '' as $$
  select case when pg_catalog.json_typeof(x.shown) = 'object' then x.shown else '{}'::json end
  from (select case when p_subject #>> '{capability,name}' is null and pg_catalog.json_typeof(p_subject #> '{input,question}') = 'string'
    then p_subject #> '{input,show}' else p_subject -> 'input' end as shown) x
$$;

-- The facts of an approval as messages hold them, in their order: [[name, value]], texts cut; [name] where the value is too long for one.
create function quorate.facts_of(p_subject json) returns json language sql immutable set search_path = '' as $$
  select coalesce(pg_catalog.json_agg(case
      when pg_catalog.json_typeof(e.value) = 'string' then
        pg_catalog.json_build_array(pg_catalog."left"(e.key, 100), pg_catalog."left"(e.value #>> '{}', 1000))
      when pg_catalog.length(e.value::text) <= 4000 then pg_catalog.json_build_array(pg_catalog."left"(e.key, 100), e.value)
      else pg_catalog.json_build_array(pg_catalog."left"(e.key, 100)) end order by e.place), '[]')
  from pg_catalog.json_each(quorate.shown_of(p_subject)) with ordinality e (key, value, place)
  where e.place <= 30
$$;

-- The open approval that a notification is about, as far as its receiver may see it: { due, question, facts, comment }. `comment`: the
-- question or answer under it that the notification is of. Looked up as it is sent, as the run is.
create function quorate.approval_of_notice(n quorate.notifications) returns json language sql stable set search_path = '' as $$
  select pg_catalog.json_build_object('due', a.due_at, 'question', case when a.subject #>> '{capability,name}' is null
      then pg_catalog."left"(a.subject #>> '{input,question}', 1000) end, 'facts', quorate.facts_of(a.subject),
    'comment', (select c.text from quorate.approval_comments c where c.approval_id = a.id
      and c.id = case when n.once ~ '^(question|answer):' then pg_catalog.substr(n.once, pg_catalog.strpos(n.once, ':') + 1)::uuid end))
  from quorate.approvals a
  where n.subject #>> '{about,kind}' = 'approval' and a.id = (n.subject #>> '{about,id}')::uuid and a.workspace_id = n.workspace_id
    and a.status = 'pending'
    and (a.requested_by = n.user_id or exists (select from quorate.members m where m.workspace_id = n.workspace_id
      and m.user_id = n.user_id and m.roles && array['builder', 'approver', 'auditor', 'admin']))
$$;

revoke all on function quorate.shown_of(json), quorate.facts_of(json),
  quorate.approval_of_notice(quorate.notifications) from public;

drop function quorate.claim_notifications(int);
-- Out of the page: the web server, which has the words, takes what is new and queues mails and webhooks in one transaction.
create function quorate.claim_notifications(p_limit int)
returns table (
  id uuid, workspace_id uuid, workspace_name text, is_demo boolean, user_id uuid, email text, kind text, subject jsonb, settings jsonb,
  run json, approval json
)
language sql security definer set search_path = '' as $$
  update quorate.notifications n set queued_at = pg_catalog.clock_timestamp()
  from quorate.notifications x
  join quorate.members m on m.workspace_id = x.workspace_id and m.user_id = x.user_id
  join quorate.workspaces w on w.id = x.workspace_id
  left join quorate.preferences p on p.user_id = x.user_id
  where n.id = x.id and x.id in (
    select y.id from quorate.notifications y where y.queued_at is null order by y.created_at limit p_limit for update skip locked
  )
  returning n.id, n.workspace_id, w.name, w.is_demo, n.user_id, m.email, n.kind, n.subject, coalesce(p.settings, '{}'),
    quorate.run_of_notice(n), quorate.approval_of_notice(n)
$$;
create or replace function quorate.queue_deliveries(p_deliveries jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, sealed_secret, secret_context,
    notices, format)
  select (d ->> 'id')::uuid, (d ->> 'workspaceId')::uuid, d ->> 'kind', d ->> 'target', d ->> 'subject', d ->> 'body',
    pg_catalog.decode(d ->> 'sealedSecret', 'base64'), d ->> 'secretContext',
    case when d ? 'notices' then array(select x::uuid from pg_catalog.jsonb_array_elements_text(d -> 'notices') x) end,
    coalesce(d ->> 'format', 'json')
  from pg_catalog.jsonb_array_elements(p_deliveries) d
$$;
drop function quorate.claim_deliveries(int, interval);
-- Takes what is due for the length of a lease: whoever dies with it leaves it to the next. `run` and `approval`: what a webhook about a
-- notification is about, as it is now.
create function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int, sealed_secret bytea,
  secret_context text, private_network jsonb, format text, run json, approval json)
language sql security definer set search_path = '' as $$
  update quorate.deliveries d set attempts = d.attempts + 1, next_attempt_at = now() + p_lease
  where d.id in (select x.id from quorate.deliveries x where x.status = 'pending' and x.next_attempt_at <= now()
    order by x.next_attempt_at limit p_limit for update skip locked)
  returning d.id, d.workspace_id, d.kind, d.target, d.subject, d.body, d.attempts, d.sealed_secret, d.secret_context,
    (select w.private_network from quorate.workspaces w where w.id = d.workspace_id), d.format,
    (select quorate.run_of_notice(n) from quorate.notifications n
      where d.kind = 'webhook' and n.id = d.notices[1] and n.workspace_id = d.workspace_id),
    (select quorate.approval_of_notice(n) from quorate.notifications n
      where d.kind = 'webhook' and n.id = d.notices[1] and n.workspace_id = d.workspace_id)
$$;
revoke all on function quorate.claim_notifications(int), quorate.claim_deliveries(int, interval) from public;
grant execute on function quorate.claim_notifications(int), quorate.claim_deliveries(int, interval) to quorate_app;
