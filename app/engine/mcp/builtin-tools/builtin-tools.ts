import type { BuiltinTool } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { detectPersonalData } from '#app/engine/mcp/builtin-tools/detect-personal-data.ts';

export const BUILTIN_TOOLS: readonly BuiltinTool[] = [detectPersonalData];
