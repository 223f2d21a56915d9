import type { BuiltinTool } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { compareDates } from '#app/engine/mcp/builtin-tools/compare-dates.ts';
import { detectPersonalData } from '#app/engine/mcp/builtin-tools/detect-personal-data.ts';
import { evaluateArithmetic } from '#app/engine/mcp/builtin-tools/evaluate-arithmetic.ts';
import { profileCsv } from '#app/engine/mcp/builtin-tools/profile-csv.ts';
import { redactText } from '#app/engine/mcp/builtin-tools/redact-text.ts';
import { screenName } from '#app/engine/mcp/builtin-tools/screen-name.ts';

export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  detectPersonalData,
  redactText,
  profileCsv,
  evaluateArithmetic,
  compareDates,
  screenName,
];
