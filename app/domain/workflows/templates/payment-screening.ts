import { agent, templateDocument, tool } from '#app/domain/workflows/templates/template-document.ts';

/**
 * A payment before it leaves the bank: the payee is screened against a list while its purpose is assessed for obligations. Checks stop
 * nobody; what a hit stops is the release, where a person decides: with their password where the hit is certain.
 */
export const paymentScreening = templateDocument({
  input: [
    { name: 'payee', title: 'Payee', type: 'text' },
    { name: 'amount', title: 'Amount', type: 'money', options: ['EUR', 'USD', 'GBP', 'CHF'] },
    { name: 'purpose', title: 'Purpose of the payment', type: 'longtext' },
    { name: 'watchlist', title: 'Names to screen against, one per line', type: 'longtext' },
  ],
  subject: '{{ input.payee }} · {{ input.amount }}',
  steps: [
    {
      id: 'checks',
      name: 'Check payee and purpose',
      kind: 'branch',
      mode: 'parallel',
      branches: [
        {
          label: 'payee',
          when: '',
          steps: [
            {
              id: 'screen',
              name: 'Screen the payee',
              ...tool('screen_name'),
              input: { name: '=input.payee', list: '=[$split(input.watchlist, /\\r?\\n/).$trim()[$ != ""]]' },
            },
          ],
        },
        {
          label: 'purpose',
          when: '',
          steps: [
            {
              id: 'assess',
              name: 'Assess obligations',
              ...agent('assess_obligations'),
              input: {
                text: '="Payment of " & input.amount.amount & " " & input.amount.currency & " to " & input.payee & ". Purpose: " & input.purpose',
                jurisdictions: '=["EU", "US"]',
              },
            },
          ],
        },
      ],
    },
    {
      id: 'triage',
      name: 'Look at a possible hit',
      kind: 'branch',
      mode: 'choose',
      branches: [
        {
          label: 'certain_hit',
          when: '=$count(steps.screen.matches[severity = "high"]) > 0',
          steps: [
            {
              id: 'release',
              name: 'A person decides on the release',
              kind: 'approval',
              question: 'May this payment be released although its payee is on the list?',
              sentence: 'Pay {{ input.amount }} to {{ input.payee }}',
              show: {
                Payee: '=input.payee',
                Amount: '=input.amount',
                Hits: '=steps.screen.matches',
                Purpose: '=input.purpose',
              },
              risk: 'high',
            },
          ],
        },
        {
          label: 'possible_hit',
          when: '=$count(steps.screen.matches) > 0',
          steps: [
            {
              id: 'review',
              name: 'A person reviews the hit',
              kind: 'approval',
              question: 'May this payment be released in spite of the possible screening hit?',
              sentence: 'Pay {{ input.amount }} to {{ input.payee }}',
              show: {
                Payee: '=input.payee',
                Amount: '=input.amount',
                Hits: '=steps.screen.matches',
                Purpose: '=input.purpose',
              },
              risk: 'medium',
            },
          ],
        },
        { label: 'otherwise', when: '', steps: [] },
      ],
    },
    {
      id: 'note',
      name: 'Redact the release note',
      ...tool('redact_text'),
      input: {
        text: '="Released: " & $string(input.amount.amount) & " " & input.amount.currency & " to " & input.payee & ". " & input.purpose',
      },
    },
  ],
  output:
    '={ "released": true, "hits": $count(steps.screen.matches), "obligations": $count(steps.assess.obligations), "note": steps.note.text }',
  manualMinutes: 25,
  samples: [
    {
      name: 'Payee not on the list',
      input: {
        payee: 'Northwind Office Supplies',
        amount: { amount: 480.2, currency: 'EUR' },
        purpose: 'Office supplies, invoice 2024-118',
        watchlist: 'Viktor Petrenko\nAnna Example\nJohn Sample',
      },
    },
    {
      name: 'Payee on the list',
      input: {
        payee: 'Viktor Petrenko',
        amount: { amount: 12_500.5, currency: 'EUR' },
        purpose: 'Software licence, invoice 4711',
        watchlist: 'Viktor Petrenko\nAnna Example\nJohn Sample',
      },
    },
  ],
});
