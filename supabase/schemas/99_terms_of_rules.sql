-- Whom rules ask to decide in place of any approver, and how they prove that it is them. Kept with the question, so that a policy that
-- changes meanwhile changes nothing of one that is open: quorate.approval_refusal and quorate.vote_approval hold to these columns.

alter table quorate.approvals
  add column groups text[] check (cardinality(groups) between 1 and 20), -- of the directory; who decides is in each of them
  add column reauthenticate text check (reauthenticate in ('password', 'factor')); -- whatever the risk; null: as risk and meaning ask
alter table quorate.approvals add constraint approvals_role_decides check (role in ('approver', 'admin'));
