-- Witnesses and an authority for time stamps watch a log from outside.

alter table quorate.log_audits add column watched_at timestamptz;
alter table quorate.log_audits add column watched_size bigint;

-- Lines that witnesses signed under a checkpoint (C2SP tlog-cosignature). They stay with the log, as its checkpoints do.
create table quorate.cosignatures (
  workspace_id uuid not null,
  size bigint not null,
  witness text not null, -- its verifier key
  line text not null check (length(line) <= 1000),
  signed_at timestamptz not null, -- by its own clock
  primary key (workspace_id, size, witness)
);
alter table quorate.cosignatures enable row level security;

-- Time stamps on the text of a checkpoint (RFC 3161): the authority's answer as it came, DER.
create table quorate.time_stamps (
  workspace_id uuid not null,
  size bigint not null,
  authority text not null, -- its address
  answer bytea not null check (length(answer) <= 65536),
  signed_at timestamptz not null,
  primary key (workspace_id, size)
);
alter table quorate.time_stamps enable row level security;

create table quorate.watchers (
  workspace_id uuid not null references quorate.workspaces on delete cascade,
  party text not null, -- the verifier key of a witness, the address of the authority
  kind text not null check (kind in ('witness', 'authority')),
  asked_at timestamptz not null,
  size bigint, -- of the newest head that it signed
  signed_at timestamptz,
  fault text check (fault in ('away', 'unknownLog', 'keyRefused', 'badAnswer', 'disagrees')),
  fault_since timestamptz,
  told boolean not null default false, -- people were told of the fault: at once, but of silence only when it lasts
  said text check (length(said) <= 4000), -- where it disagrees, the head that it holds
  check ((fault is null) = (fault_since is null)),
  primary key (workspace_id, party)
);
alter table quorate.watchers enable row level security;

-- The log that is due to be shown to its witnesses and to the authority: one with a new head, or one of which somebody did not sign the
-- last. Null: none. Whoever is given one has it for p_pause.
create function quorate.claim_watch(p_pause interval, p_retry interval) returns uuid
language plpgsql security definer set search_path = '' as $$
declare v_found uuid;
begin
  perform quorate.require_session();
  update quorate.log_audits a set watched_at = pg_catalog.clock_timestamp(), watched_size = due.size
  from (select x.workspace_id, newest.size from quorate.log_audits x
    join quorate.workspaces w on w.id = x.workspace_id and (w.proof -> 'witnesses' <> '[]' or w.proof -> 'authority' <> 'null')
    cross join lateral (select c.size from quorate.checkpoints c where c.workspace_id = x.workspace_id order by c.size desc limit 1) newest
    where (x.watched_at is null or x.watched_at <= pg_catalog.clock_timestamp() - p_pause)
      and (x.watched_size is distinct from newest.size or (x.watched_at <= pg_catalog.clock_timestamp() - p_retry
        and exists (select from quorate.watchers v where v.workspace_id = x.workspace_id and v.fault is not null)))
    order by x.watched_at nulls first limit 1 for update of x skip locked) due
  where a.workspace_id = due.workspace_id
  returning a.workspace_id into v_found;
  return v_found;
end $$;

-- Whoever audits or administers is told when a witness or the authority does not sign any more, and at once of a witness that holds another
-- log than this one.
create function quorate.notify_watcher() returns trigger language plpgsql security definer set search_path = '' as $$
declare v_name text := case new.kind when 'witness' then split_part(new.party, '+', 1) else new.party end;
begin
  perform quorate.notify(new.workspace_id, quorate.members_with(new.workspace_id, 'admin', 'auditor'), 'proof',
    case when not new.told then 'notifyWatcherBack' when new.fault = 'disagrees' then 'notifyWitnessDisagrees'
      when new.kind = 'witness' then 'notifyWitnessFails' else 'notifyAuthorityFails' end,
    pg_catalog.jsonb_build_object('name', v_name), pg_catalog.jsonb_build_object('kind', 'proof', 'id', new.workspace_id), null);
  return null;
end $$;

create trigger immutable before update on quorate.cosignatures for each row execute function quorate.refuse_change();
create trigger guard_removal before delete on quorate.cosignatures for each row execute function quorate.refuse_log_removal();
create trigger immutable before update on quorate.time_stamps for each row execute function quorate.refuse_change();
create trigger guard_removal before delete on quorate.time_stamps for each row execute function quorate.refuse_log_removal();
create trigger notify_watcher_first after insert on quorate.watchers for each row when (new.told)
  execute function quorate.notify_watcher();
create trigger notify_watcher after update on quorate.watchers for each row
  when (old.told <> new.told or (old.fault is distinct from new.fault and new.fault = 'disagrees'))
  execute function quorate.notify_watcher();

create policy read_workspace on quorate.cosignatures for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.cosignatures as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));
create policy worker_reads on quorate.cosignatures for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy keep on quorate.cosignatures for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy read_workspace on quorate.time_stamps for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()));
create policy key_reads on quorate.time_stamps as restrictive for select to quorate_member using ((select quorate.key_may('audit:read')));
create policy worker_reads on quorate.time_stamps for select to quorate_worker
  using (workspace_id = (select quorate.current_workspace_id()));
create policy keep on quorate.time_stamps for insert to quorate_worker
  with check (workspace_id = (select quorate.current_workspace_id()));
create policy read_watchers on quorate.watchers for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null
    and (select quorate.has_role('auditor', 'admin')));
create policy keep on quorate.watchers for all to quorate_worker using (workspace_id = (select quorate.current_workspace_id()))
  with check (workspace_id = (select quorate.current_workspace_id()));

grant select on quorate.cosignatures, quorate.time_stamps, quorate.watchers to quorate_member;
grant select, insert on quorate.cosignatures, quorate.time_stamps to quorate_worker;
grant select, insert, update on quorate.watchers to quorate_worker;
revoke all on function quorate.claim_watch(interval, interval), quorate.notify_watcher() from public;
grant execute on function quorate.claim_watch(interval, interval) to quorate_app;
