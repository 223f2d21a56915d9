import { assignedApproval, assignTo } from '#app/engine/approvals/work/assign.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Gives an assigned approval back to everyone who may decide it. @throws AssignRefused */
export const returnApproval = defineCommand({
  permission: null,
  scope: null,
  input: assignedApproval,
  actions: ['approval.returned'],
  changes: ['quorate.approvals'],
  repeat: 'refused',
  async change({ db }, asked) {
    return { result: null, event: await assignTo(db, 'approval.returned', asked, null) };
  },
});
