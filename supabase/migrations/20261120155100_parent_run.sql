-- A run is taken up again in its own workspace. The first one may be erased; then the second has none.
alter table quorate.runs add constraint runs_parent_run foreign key (workspace_id, parent_run_id) references quorate.runs (workspace_id, id) on delete set null (parent_run_id);
