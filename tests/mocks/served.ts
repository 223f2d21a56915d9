/** What `npm run dev:mocked` reads again after a change: handlers, scenarios, their page, and the contents of the project. */

export { takeRealtimeFrame } from '#tests/mocks/handlers/realtime.ts';
export { createHandlers } from '#tests/mocks/handlers.ts';
export { serveScenarios } from '#tests/mocks/scenarios-page.ts';
