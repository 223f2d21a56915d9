import {
  type AppAdapter,
  answer,
  anyObject,
  fields,
  list,
  queryValue,
  segment,
  text,
  whole,
} from '#app/engine/connections/apps/app-adapter.ts';

const table = text('Table', { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' });
const rows = answer({ rows: list('Rows') });

/** The data API of a Supabase project (PostgREST) and its edge functions. The address is the project's. */
export const supabase: AppAdapter = {
  headers: (credential): Record<string, string> =>
    credential === null ? {} : { apikey: credential, authorization: `Bearer ${credential}`, prefer: 'return=representation' },
  check: { method: 'GET', path: '/rest/v1/' },
  capabilities: [
    {
      name: 'select_rows',
      title: 'Select rows',
      description: 'Reads rows of a table, filtered by one column.',
      effect: 'reads',
      inputSchema: fields(
        {
          table,
          columns: text('Columns'),
          column: text('Filter column', { pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$' }),
          equals: text('Filter value'),
          limit: whole('Limit', 1, 1_000),
        },
        ['table'],
      ),
      outputSchema: rows,
      request: (input) => ({
        method: 'GET',
        path: `/rest/v1/${segment(input.table)}`,
        query: {
          select: queryValue(input.columns) ?? '*',
          limit: queryValue(input.limit) ?? 100,
          ...(typeof input.column === 'string' && input.equals !== undefined ? { [input.column]: `eq.${String(input.equals)}` } : {}),
        },
      }),
      output: (value) => ({ rows: value }),
    },
    {
      name: 'insert_row',
      title: 'Insert a row',
      description: 'Adds one row to a table and answers it.',
      effect: 'writes',
      inputSchema: fields({ table, values: anyObject('Values') }, ['table', 'values']),
      outputSchema: rows,
      request: (input) => ({ method: 'POST', path: `/rest/v1/${segment(input.table)}`, body: input.values ?? {} }),
      output: (value) => ({ rows: value }),
    },
    {
      name: 'invoke_function',
      title: 'Invoke an edge function',
      description: 'Calls an edge function of the project with a JSON body.',
      effect: 'writes',
      inputSchema: fields({ name: text('Function'), body: anyObject('Body') }, ['name']),
      outputSchema: answer({ result: {} }),
      request: (input) => ({ method: 'POST', path: `/functions/v1/${segment(input.name)}`, body: input.body ?? {} }),
      output: (value) => ({ result: value }),
      answersText: 'plain',
    },
  ],
};
