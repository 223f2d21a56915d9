import { ArithmeticError, evaluateArithmetic as evaluate, MAX_EXPRESSION_CHARACTERS } from '#app/engine/mcp/builtin-tools/arithmetic.ts';
import { type BuiltinTool, objectSchema, ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';

export const evaluateArithmetic: BuiltinTool = {
  name: 'evaluate_arithmetic',
  title: 'Evaluate arithmetic',
  description:
    'Computes an expression exactly in decimals: + - * / % ^, parentheses, percentages, min, max, sum, avg, abs, round, floor, ceil, and variables that you give. Answers the result as a number and, without loss, as text.',
  inputSchema: objectSchema(
    {
      expression: {
        type: 'string',
        title: 'Expression',
        minLength: 1,
        maxLength: MAX_EXPRESSION_CHARACTERS,
        examples: ['round(amount * 1.19, 2)'],
      },
      variables: {
        type: 'object',
        title: 'Variables',
        additionalProperties: { type: ['number', 'string'] },
        description: 'Name to number; as text to keep every digit',
      },
      places: { type: 'integer', title: 'Decimal places', minimum: 0, maximum: 100, description: 'Rounds the result, half to even' },
    },
    ['variables', 'places'],
  ),
  outputSchema: objectSchema({
    result: { type: 'number' },
    text: { type: 'string' },
    exact: { type: 'boolean', description: 'The number is the text without loss' },
  }),
  run({ expression, variables, places }) {
    try {
      const values =
        typeof variables === 'object' && variables !== null && !Array.isArray(variables)
          ? (variables as Record<string, string | number>)
          : {};
      const value = evaluate(String(expression), values);
      const text = (typeof places === 'number' ? value.round(places) : value).toFixed();
      const result = Number(text);
      if (!Number.isFinite(result)) throw new ToolInputError('The result is too large for a number.');
      return { result, text, exact: String(result) === text };
    } catch (error) {
      if (error instanceof ArithmeticError) throw new ToolInputError(`The expression cannot be computed: ${error.message}.`);
      throw error;
    }
  },
};
