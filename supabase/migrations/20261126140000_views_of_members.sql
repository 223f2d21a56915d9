-- A saved view goes with the membership of whoever saved it: one that was shared stayed in everyone's list when its owner had left.

delete from quorate.saved_views v
  where not exists (select from quorate.members m where m.workspace_id = v.workspace_id and m.user_id = v.user_id);
alter table quorate.saved_views add foreign key (workspace_id, user_id)
  references quorate.members (workspace_id, user_id) on delete cascade;
