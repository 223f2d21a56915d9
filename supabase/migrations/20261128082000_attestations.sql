-- Attestations: a person says that a control operates, for some months. What was said stays; a later one replaces it.

create table quorate.attestations (
  id uuid primary key,
  workspace_id uuid not null references quorate.workspaces (id) on delete cascade,
  control text not null check (control ~ '^[A-Za-z]{1,40}$'),
  note text not null check (length(note) between 1 and 2000),
  months int not null check (months between 1 and 36),
  attested_by uuid not null,
  attested_at timestamptz not null default clock_timestamp()
);
create index attestations_latest on quorate.attestations (workspace_id, control, attested_at desc);
alter table quorate.attestations enable row level security;

-- Approvers and admins, in person.
create function quorate.attest_control(p_id uuid, p_control text, p_note text, p_months int) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if quorate.current_user_id() is null or quorate.current_key_id() is not null or not quorate.has_role('approver', 'admin') then
    raise exception 'approvers and admins attest controls' using errcode = 'QI002';
  end if;
  insert into quorate.attestations (id, workspace_id, control, note, months, attested_by)
    values (p_id, quorate.current_workspace_id(), p_control, p_note, p_months, quorate.current_user_id());
end $$;

create trigger immutable before update on quorate.attestations for each row execute function quorate.refuse_change();
create constraint trigger audited after insert on quorate.attestations
  deferrable initially deferred for each row execute function quorate.require_audit_event();

create policy read_attestations on quorate.attestations for select to quorate_member
  using (workspace_id = (select quorate.current_workspace_id()) and (select quorate.current_key_id()) is null);

grant select on quorate.attestations to quorate_member;
revoke all on function quorate.attest_control(uuid, text, text, int) from public;
grant execute on function quorate.attest_control(uuid, text, text, int) to quorate_member;
