-- Lists and figures on a past of millions of rows: each is read from the end that it shows, by an index that holds what it asks.

-- A run's row changes some three times, and each time a state changes that stands in the condition of an index: its other indexes
-- are written then anyway, and what they carry beside their keys costs their size alone.
drop index quorate.runs_list;
create index runs_list on quorate.runs (workspace_id, created_at desc, id desc) include (mode, status, artifact_id, version_id, initiator_id, started_at, finished_at, waiting_ms);
drop index quorate.runs_artifact;
create index runs_artifact on quorate.runs (artifact_id, created_at desc, id desc) include (workspace_id, mode, status, initiator_id, started_at, finished_at, waiting_ms);
drop index quorate.runs_initiator;
create index runs_initiator on quorate.runs (workspace_id, initiator_id, created_at desc, id desc);
-- What ended badly is rare, and asked for; what ended well never gets into this one.
create index runs_ended_badly on quorate.runs (workspace_id, status, created_at desc, id desc) where status in ('failed', 'cancelled');

-- What is closed stands newest first, what is open by its time (approvals_inbox).
create index approvals_closed on quorate.approvals (workspace_id, created_at desc, id desc) where status <> 'pending';
create index approvals_status on quorate.approvals (workspace_id, status, created_at desc, id desc);
create index approvals_requester on quorate.approvals (workspace_id, requested_by, created_at desc, id desc);

drop index quorate.decisions_list;
create index decisions_list on quorate.decisions (workspace_id, decided_at desc, id desc);
drop index quorate.notifications_inbox;
create index notifications_inbox on quorate.notifications (user_id, workspace_id, created_at desc, id desc);
drop index quorate.deliveries_workspace;
create index deliveries_workspace on quorate.deliveries (workspace_id, created_at desc, id desc);
