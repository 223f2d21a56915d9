import { templateDocument, tool } from '#app/domain/workflows/templates/template-document.ts';

/**
 * A customer from first papers to an open account: someone is asked until the documents are complete, the name is screened, the run waits for
 * the signature service to call back, and a person opens the account.
 */
export const customerOnboarding = templateDocument({
  input: [
    { name: 'customer', title: 'Customer', type: 'text' },
    { name: 'watchlist', title: 'Names to screen against, one per line', type: 'longtext' },
  ],
  subject: '{{ input.customer }}',
  steps: [
    {
      id: 'complete',
      name: 'Until the documents are complete',
      kind: 'repeat',
      until: '=steps.documents.answer.complete = true',
      rounds: 5,
      branches: [
        {
          label: 'round',
          steps: [
            {
              id: 'documents',
              name: 'Check the documents',
              kind: 'human_task',
              question: 'Are the identity document and the proof of address complete?',
              show: { Customer: '=input.customer' },
              fields: [
                { name: 'complete', title: 'Everything is there', type: 'boolean', required: false },
                { name: 'missing', title: 'Still missing', type: 'longtext', required: false },
              ],
              to: 'starter',
              late: 'keep',
            },
          ],
        },
      ],
    },
    {
      id: 'screen',
      name: 'Screen the customer',
      ...tool('screen_name'),
      input: { name: '=input.customer', list: '=[$split(input.watchlist, /\\r?\\n/).$trim()[$ != ""]]' },
    },
    {
      id: 'address',
      name: 'Give the signature service this address',
      kind: 'message',
      to: ['starter'],
      text: '=run.callbacks.signed',
    },
    { id: 'signed', name: 'Wait for the signed contract', kind: 'wait', mode: 'event', seconds: 14 * 86_400 },
    {
      id: 'open',
      name: 'A person opens the account',
      kind: 'approval',
      question: 'May this account be opened?',
      sentence: 'Open an account for {{ input.customer }}',
      show: { Customer: '=input.customer', Hits: '=steps.screen.matches' },
      risk: 'medium',
    },
  ],
  output:
    '={ "customer": input.customer, "rounds": steps.complete.rounds, "hits": $count(steps.screen.matches), "signedAt": steps.signed.at }',
  manualMinutes: 60,
  samples: [
    {
      name: 'A new business customer',
      input: { customer: 'Harbour Logistics', watchlist: 'Viktor Petrenko\nAnna Example\nJohn Sample' },
    },
  ],
});
