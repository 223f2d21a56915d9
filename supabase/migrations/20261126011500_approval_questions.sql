-- What a step asks, whichever item of a loop it asks it for.
create function quorate.question_of(p_step_path text) returns text language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(p_step_path, '/[0-9]+', '', 'g')
$$;
revoke all on function quorate.question_of(text) from public;
grant execute on function quorate.question_of(text) to quorate_member, quorate_worker;
create index approvals_alike on quorate.approvals (workspace_id, quorate.question_of(step_path), created_at desc) where status <> 'pending';
