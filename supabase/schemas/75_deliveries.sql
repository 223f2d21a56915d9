-- Mails and webhooks on their way out.

create table quorate.deliveries (
  id uuid primary key,
  workspace_id uuid references quorate.workspaces (id) on delete cascade,
  kind text not null check (kind in ('mail', 'webhook')),
  target text not null,
  subject text not null default '',
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'success', 'failed')),
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  -- A webhook of a person is signed with a secret of its own, sealed; without one the workspace's secret signs.
  sealed_secret bytea,
  secret_context text,
  -- The notifications that it tells of; null: it tells of none.
  notices uuid[],
  -- Of a webhook about a notification: how its receiver reads it. Other than json, its words are made as it is sent.
  format text not null default 'json' check (format in ('json', 'slack', 'teams'))
);
create index deliveries_due on quorate.deliveries (next_attempt_at) where status = 'pending';
-- Webhooks alone, newest first, among any number of mails.
create index deliveries_webhooks on quorate.deliveries (workspace_id, created_at desc, id desc) where kind = 'webhook';
-- Those that wait or have failed, newest first, among any number that arrived.
create index deliveries_open on quorate.deliveries (workspace_id, status, created_at desc, id desc) where status <> 'success';
create index deliveries_workspace on quorate.deliveries (workspace_id, created_at desc, id desc);
alter table quorate.deliveries enable row level security;

create table quorate.caught_mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  text_body text not null,
  html_body text not null default '',
  caught_at timestamptz not null default now()
);
create index caught_mails_newest on quorate.caught_mails (caught_at desc);
alter table quorate.caught_mails enable row level security;

create function quorate.queue_deliveries(p_deliveries jsonb) returns void language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.deliveries (id, workspace_id, kind, target, subject, body, sealed_secret, secret_context,
    notices, format)
  select (d ->> 'id')::uuid, (d ->> 'workspaceId')::uuid, d ->> 'kind', d ->> 'target', d ->> 'subject', d ->> 'body',
    pg_catalog.decode(d ->> 'sealedSecret', 'base64'), d ->> 'secretContext',
    case when d ? 'notices' then array(select x::uuid from pg_catalog.jsonb_array_elements_text(d -> 'notices') x) end,
    coalesce(d ->> 'format', 'json')
  from pg_catalog.jsonb_array_elements(p_deliveries) d
$$;

-- Takes what is due for the length of a lease: whoever dies with it leaves it to the next. `run` and `approval`: what a webhook about a
-- notification is about, as it is now.
create function quorate.claim_deliveries(p_limit int, p_lease interval)
returns table (id uuid, workspace_id uuid, kind text, target text, subject text, body text, attempts int, sealed_secret bytea,
  secret_context text, private_network jsonb, format text, run json, approval json)
language sql security definer set search_path = '' as $$
  select quorate.require_session();
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

-- Closes an attempt: delivered, to be tried again at p_retry_at, or given up. Late answers of an attempt that lost its lease change
-- nothing. A webhook may be sent again, so it keeps what it says; a mail keeps no text, and no subject where that may name a run.
create function quorate.settle_delivery(p_id uuid, p_attempt int, p_delivered boolean, p_error text, p_retry_at timestamptz) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  update quorate.deliveries d set
    status = case when p_delivered then 'success' when p_retry_at is null then 'failed' else 'pending' end,
    body = case when d.kind = 'mail' and (p_delivered or p_retry_at is null) then '' else d.body end,
    subject = case when d.kind = 'mail' and d.notices is not null and (p_delivered or p_retry_at is null) then '' else d.subject end,
    last_error = p_error,
    next_attempt_at = coalesce(p_retry_at, d.next_attempt_at),
    delivered_at = case when p_delivered then clock_timestamp() end
  where d.id = p_id and d.attempts = p_attempt and d.status = 'pending'
$$;

-- Puts a webhook that has ended, or waits for its next attempt, at the front of the queue. Answers whether there was one.
create function quorate.resend_delivery(p_id uuid) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not quorate.has_role('builder', 'admin') or quorate.current_key_id() is not null then
    raise exception 'only a builder or an admin sends again' using errcode = 'QP005';
  end if;
  update quorate.deliveries d
    set status = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), last_error = null, delivered_at = null
    where d.id = p_id and d.kind = 'webhook' and (d.workspace_id = quorate.current_workspace_id()) is true;
  return found;
end $$;

create function quorate.catch_mail(p_id uuid, p_recipient text, p_subject text, p_text text, p_html text) returns void
language sql security definer set search_path = '' as $$
  select quorate.require_session();
  insert into quorate.caught_mails (id, recipient, subject, text_body, html_body) values (p_id, p_recipient, p_subject, p_text, p_html)
$$;

create function quorate.list_caught_mails(p_limit int) returns setof quorate.caught_mails
language sql stable security definer set search_path = '' as $$
  select quorate.require_session();
  select * from quorate.caught_mails order by caught_at desc limit least(p_limit, 500)
$$;

create policy worker_reads on quorate.deliveries for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy admin_reads on quorate.deliveries for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('admin', 'auditor')));
create policy member_queues on quorate.deliveries for insert to quorate_member
  with check (workspace_id = (select quorate.current_workspace_id()) and status = 'pending' and notices is null);
create policy worker_queues on quorate.deliveries for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()));
-- Builders see how webhooks arrive; mails stay with admins and auditors.
create policy builder_reads_webhooks on quorate.deliveries for select to quorate_member
  using (kind = 'webhook' and workspace_id = (select quorate.current_workspace_id()) and (select quorate.has_role('builder')));
create policy key_inserts on quorate.deliveries as restrictive for insert to quorate_member with check ((select quorate.key_may('')));
create policy key_updates on quorate.deliveries as restrictive for update to quorate_member using ((select quorate.key_may('')));
create policy key_deletes on quorate.deliveries as restrictive for delete to quorate_member using ((select quorate.key_may('')));

grant insert on quorate.deliveries to quorate_member;
grant select, insert on quorate.deliveries to quorate_worker;
grant select (id, workspace_id, kind, target, subject, status, attempts, next_attempt_at, last_error, created_at,
  delivered_at) on quorate.deliveries to quorate_member;
revoke all on function quorate.queue_deliveries(jsonb), quorate.claim_deliveries(int, interval),
  quorate.settle_delivery(uuid, int, boolean, text, timestamptz), quorate.resend_delivery(uuid),
  quorate.catch_mail(uuid, text, text, text, text), quorate.list_caught_mails(int) from public;
grant execute on function quorate.queue_deliveries(jsonb), quorate.claim_deliveries(int, interval),
  quorate.settle_delivery(uuid, int, boolean, text, timestamptz), quorate.catch_mail(uuid, text, text, text, text),
  quorate.list_caught_mails(int) to quorate_app;
grant execute on function quorate.resend_delivery(uuid) to quorate_member;
