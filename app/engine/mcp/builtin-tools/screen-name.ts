import type { Risk } from '#app/contracts/statuses.ts';
import { type BuiltinTool, objectSchema, RISK_SCHEMA, ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';

const MAX_ENTRIES = 20_000;
const MAX_MATCHES = 50;
const DEFAULT_THRESHOLD = 0.85;
/** From here on a match is to be taken for the same name until someone has looked. */
const STRONG = 0.93;

export const screenName: BuiltinTool = {
  name: 'screen_name',
  title: 'Screen a name',
  description:
    'Compares a name of a person or organisation with a list that you give (sanctions, debarment, politically exposed persons) and answers the entries that are like it, with scores from 0 to 1. Order of words, accents, initials, legal forms, and Cyrillic, Greek, Arabic and Hebrew letters are allowed for.',
  inputSchema: objectSchema(
    {
      name: { type: 'string', title: 'Name', minLength: 1, maxLength: 300 },
      list: {
        title: 'List',
        description: 'A list of names, or one text with a name on each line; aliases of one entry separated by |',
        anyOf: [
          { type: 'array', items: { type: 'string' }, maxItems: MAX_ENTRIES },
          { type: 'string', maxLength: 2_000_000 },
        ],
      },
      threshold: { type: 'number', title: 'Least score', minimum: 0.5, maximum: 1, default: DEFAULT_THRESHOLD },
    },
    ['threshold'],
  ),
  outputSchema: objectSchema({
    risk: RISK_SCHEMA,
    matched: { type: 'boolean' },
    score: { type: 'number', description: 'Of the best match; 0 without one' },
    compared: { type: 'integer' },
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: { entry: { type: 'string' }, alias: { type: 'string' }, score: { type: 'number' }, severity: RISK_SCHEMA },
        required: ['entry', 'alias', 'score', 'severity'],
      },
    },
  }),
  async run({ name, list, threshold }) {
    // Its table of all scripts is half a megabyte.
    const { foldedName, nameSimilarity } = await import('#app/engine/mcp/builtin-tools/name-match.ts');
    const wanted = foldedName(String(name));
    if (wanted === '') throw new ToolInputError('The name holds no letters.');
    const least = typeof threshold === 'number' ? threshold : DEFAULT_THRESHOLD;
    const entries = (Array.isArray(list) ? list.map(String) : String(list).split(/\r\n|\r|\n/))
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
    if (entries.length === 0) throw new ToolInputError('The list is empty: nothing was screened.');
    if (entries.length > MAX_ENTRIES) throw new ToolInputError(`The list has more than ${MAX_ENTRIES} entries.`);
    const matches = entries.flatMap((entry) => {
      let best = { alias: '', score: 0 };
      for (const alias of entry.split('|').slice(0, 50)) {
        const score = nameSimilarity(wanted, foldedName(alias));
        if (score > best.score) best = { alias: alias.trim(), score };
      }
      return best.score >= least
        ? [
            {
              entry: entry.slice(0, 300),
              alias: best.alias.slice(0, 300),
              score: Math.round(best.score * 1000) / 1000,
              severity: severityOf(best.score),
            },
          ]
        : [];
    });
    matches.sort((a, b) => b.score - a.score);
    const top = matches[0];
    return {
      risk: top?.severity ?? 'low',
      matched: top !== undefined,
      score: top?.score ?? 0,
      compared: entries.length,
      matches: matches.slice(0, MAX_MATCHES),
    };
  },
};

function severityOf(score: number): Risk {
  return score >= STRONG ? 'high' : 'medium';
}
