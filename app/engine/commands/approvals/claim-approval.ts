import { assignedApproval, assignTo } from '#app/engine/approvals/work/assign.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Takes an open approval upon oneself, for who could decide it. @throws AssignRefused */
export const claimApproval = defineCommand({
  permission: null,
  scope: null,
  input: assignedApproval,
  actions: ['approval.claimed'],
  changes: ['quorate.approvals'],
  repeat: 'refused',
  async change({ db, principal }, asked) {
    return { result: null, event: await assignTo(db, 'approval.claimed', asked, principal.userId) };
  },
});
