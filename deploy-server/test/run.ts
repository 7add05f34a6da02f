import { outputOf } from '@anniversary/deploy/test/run'
import { runServerCli } from '../src/run-server-cli.ts'

/** @returns what a terminal would show, without colours */
export const run = (...args: string[]) => outputOf(() => runServerCli(args))
