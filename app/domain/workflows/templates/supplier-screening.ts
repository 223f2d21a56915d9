import { templateDocument, tool } from '#app/domain/workflows/templates/template-document.ts';

/**
 * All suppliers of a company against a list, five at a time: one that cannot be screened does not hold up the others. Where there are hits,
 * a person looks at them together.
 */
export const supplierScreening = templateDocument({
  input: [
    { name: 'suppliers', title: 'Suppliers, one per line', type: 'longtext' },
    { name: 'watchlist', title: 'Names to screen against, one per line', type: 'longtext' },
  ],
  subject: '{{ input.suppliers }}',
  steps: [
    {
      id: 'each_supplier',
      name: 'Screen each supplier',
      kind: 'for_each',
      items: '=[$split(input.suppliers, /\\r?\\n/).$trim()[$ != ""]]',
      atOnce: 5,
      onItemError: 'continue',
      collect: '={ "supplier": item, "hits": $count(steps.screen.matches) }',
      branches: [
        {
          label: 'each',
          steps: [
            {
              id: 'screen',
              name: 'Screen the supplier',
              ...tool('screen_name'),
              input: { name: '=item', list: '=[$split(input.watchlist, /\\r?\\n/).$trim()[$ != ""]]' },
            },
          ],
        },
      ],
    },
    {
      id: 'triage',
      name: 'Look at possible hits',
      kind: 'branch',
      mode: 'choose',
      branches: [
        {
          label: 'some_hit',
          when: '=$count(steps.each_supplier.results[hits > 0]) > 0',
          steps: [
            {
              id: 'review',
              name: 'A person reviews the hits',
              kind: 'approval',
              question: 'May we continue buying from the suppliers with a possible hit?',
              sentence: 'Continue buying from {{ [steps.each_supplier.results[hits > 0].supplier] }}',
              show: { Hits: '=[steps.each_supplier.results[hits > 0]]' },
              risk: 'medium',
            },
          ],
        },
        { label: 'otherwise', when: '', steps: [] },
      ],
    },
  ],
  output:
    '={ "screened": steps.each_supplier.ok, "notScreened": steps.each_supplier.failed, "hits": $count(steps.each_supplier.results[hits > 0]) }',
  manualMinutes: 90,
  samples: [
    {
      name: 'Six suppliers, one on the list',
      input: {
        suppliers: 'Northwind Office Supplies\nHarbour Logistics\nViktor Petrenko\nContoso Catering\nLakeside Cleaning\nFabrikam Tools',
        watchlist: 'Viktor Petrenko\nAnna Example\nJohn Sample',
      },
    },
  ],
});
