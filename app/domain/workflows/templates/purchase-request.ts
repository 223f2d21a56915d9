import { templateDocument } from '#app/domain/workflows/templates/template-document.ts';

/**
 * A purchase from request to decision: who asks fills in what is missing, a person decides, and whoever asked is notified, also when it fails or
 * is cancelled.
 */
export const purchaseRequest = templateDocument({
  input: [
    { name: 'item', title: 'Item to buy', type: 'text' },
    { name: 'amount', title: 'Amount', type: 'money', options: ['EUR', 'USD', 'GBP', 'CHF'] },
  ],
  subject: '{{ input.item }} · {{ input.amount }}',
  steps: [
    {
      id: 'details',
      name: 'Ask for missing details',
      kind: 'human_task',
      question: 'Which cost centre pays, and when is it needed?',
      fields: [
        { name: 'cost_centre', title: 'Cost centre', type: 'text' },
        { name: 'needed_by', title: 'Needed by', type: 'date', required: false },
      ],
      show: { Item: '=input.item' },
      to: 'starter',
    },
    {
      id: 'decide',
      name: 'A person decides on the purchase',
      kind: 'approval',
      question: 'May we buy this?',
      sentence: 'Buy {{ input.item }} for {{ input.amount }}',
      show: { Item: '=input.item', Amount: '=input.amount', 'Cost centre': '=steps.details.answer.cost_centre' },
      risk: 'medium',
    },
    { id: 'approved', name: 'Your purchase was approved', kind: 'message', to: ['starter'], text: '=input.item' },
    {
      id: 'nothing',
      name: 'If the purchase falls through',
      kind: 'cleanup',
      branches: [
        {
          label: 'on_failure',
          steps: [{ id: 'failed', name: 'Your purchase request failed', kind: 'message', to: ['starter'], text: '=input.item' }],
        },
        {
          label: 'on_cancel',
          steps: [{ id: 'cancelled', name: 'Your purchase request was cancelled', kind: 'message', to: ['starter'], text: '=input.item' }],
        },
      ],
    },
  ],
  output: '={ "item": input.item, "costCentre": steps.details.answer.cost_centre, "approvedBy": steps.decide.approvers }',
  manualMinutes: 25,
  samples: [{ name: 'A desk for the front office', input: { item: 'Standing desk, 160 cm', amount: { amount: 480, currency: 'EUR' } } }],
});
