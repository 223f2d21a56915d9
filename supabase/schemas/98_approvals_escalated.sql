-- To whom an open approval was escalated, and when. Each is an entry of the log.

alter table quorate.approvals
  add column deputy_told uuid, -- the deputy who was told that nobody had decided
  add column deputy_told_at timestamptz,
  add column role_told_at timestamptz; -- everyone who could decide was told

create constraint trigger audited_escalation after update on quorate.approvals deferrable initially deferred for each row
  when (row(new.deputy_told_at, new.role_told_at) is distinct from row(old.deputy_told_at, old.role_told_at))
  execute function quorate.require_audit_event();
