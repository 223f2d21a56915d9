-- The audit page: its list by action, and which actions there are, without reading the log.
create index audit_events_action on quorate.audit_events (workspace_id, action, at desc, id desc);
create index audit_events_actor on quorate.audit_events (workspace_id, actor_id, at desc, id desc);
