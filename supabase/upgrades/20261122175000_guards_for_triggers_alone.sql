-- What a trigger runs is nobody's to call.
revoke all on function quorate.guard_approver_grant(), quorate.guard_connection_pause() from public;
