import { templateDocument } from '#app/domain/workflows/templates/template-document.ts';

/**
 * An insurance claim from the policy to the payout: the policy comes from the insurer's own HTTP API, another workflow screens the claimant,
 * and a person decides. The API and the workflow are the workspace's own: both are chosen before it is published.
 */
export const claimPayout = templateDocument({
  input: [
    { name: 'policy', title: 'Policy number', type: 'text' },
    { name: 'claimant', title: 'Claimant', type: 'text' },
    { name: 'amount', title: 'Amount', type: 'money', options: ['EUR', 'USD', 'GBP', 'CHF'] },
  ],
  subject: '{{ input.claimant }} · {{ input.amount }} · {{ input.policy }}',
  steps: [
    {
      id: 'policy',
      name: 'Look up the policy',
      kind: 'http',
      connection: null,
      capability: null,
      input: { path: '="/policies/" & $encodeUrlComponent(input.policy)', expect: '200' },
    },
    {
      id: 'screen',
      name: 'Screen the claimant',
      kind: 'sub_workflow',
      workflow: null,
      input: { payee: '=input.claimant', amount: '=input.amount' },
    },
    {
      id: 'payout',
      name: 'A person decides on the payout',
      kind: 'approval',
      question: 'May this claim be paid?',
      sentence: 'Pay {{ input.amount }} to {{ input.claimant }} under policy {{ input.policy }}',
      show: { Claimant: '=input.claimant', Amount: '=input.amount', Cover: '=steps.policy.body' },
      risk: 'high',
    },
    { id: 'decided', name: 'The claim was approved', kind: 'message', to: ['starter'], text: '=input.policy' },
    {
      id: 'nothing',
      name: 'If the payout falls through',
      kind: 'cleanup',
      branches: [
        {
          label: 'on_failure',
          steps: [{ id: 'failed', name: 'The claim could not be paid', kind: 'message', to: ['starter'], text: '=input.policy' }],
        },
        {
          label: 'on_cancel',
          steps: [{ id: 'cancelled', name: 'The claim was cancelled', kind: 'message', to: ['starter'], text: '=input.policy' }],
        },
      ],
    },
  ],
  output: '={ "policy": input.policy, "amount": input.amount, "approvedBy": steps.payout.approvers }',
  manualMinutes: 45,
  samples: [
    { name: 'A water damage claim', input: { policy: 'HH-204518', claimant: 'Carla Mendez', amount: { amount: 1_850, currency: 'EUR' } } },
  ],
});
