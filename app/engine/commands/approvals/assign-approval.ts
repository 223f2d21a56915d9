import { assignedApproval, assignTo } from '#app/engine/approvals/work/assign.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/**
 * Makes an open approval the duty of a member who could decide it; that member is told. It changes nothing about who may vote.
 * @throws AssignRefused
 */
export const assignApproval = defineCommand({
  permission: null,
  scope: null,
  input: assignedApproval.extend({ to: idSchema }),
  actions: ['approval.assigned'],
  changes: ['quorate.approvals'],
  repeat: 'refused',
  async change({ db }, { to, ...asked }) {
    return { result: null, event: await assignTo(db, 'approval.assigned', asked, to) };
  },
});
