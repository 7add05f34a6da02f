export interface NamedCommand {
  readonly does: string
  /** About how long, on two cores. */
  readonly takes: string
  /** Debian's programs beside those of `npm test`. */
  readonly needs?: string
  /** A line of shell, to which the caller's arguments are added. */
  readonly line: string
  /** What these may be. */
  readonly arguments?: string
  /** Its `--help` says that. */
  readonly hasHelp?: boolean
}

const tests = (folder: string, pattern: string) =>
  `npm test -w @anniversary/${folder} -- ${pattern}`

export const runnableCommands: Record<string, Record<string, NamedCommand>> = {
  prove: {
    alerts: {
      does: 'makes every alert fire by a fault, and lets the alerts of canaries stop bad ones',
      takes: '20 min',
      needs:
        'prometheus prometheus-alertmanager prometheus-node-exporter prometheus-postgres-exporter prometheus-blackbox-exporter postgresql-client openssl, root',
      line: 'npm run build && node --import tsx tools/prove/alerts/main.ts',
      arguments: '[ALERT...]',
    },
    artifact: {
      does: 'runs the release, and its units under their own filters, on Node 20 to 26; the smoke test in both Chromiums; deploy on a full disk',
      takes: '8 min',
      needs: 'chromium',
      line: 'NIGHTLY=1 npm run jest -- api/test/artifact test/unit smoke-test cli/program',
    },
    claims: {
      does: 'races 600 members, then sends a million recorded claims, bookings and readings to two API processes with 200 kills: no contradiction',
      takes: '30 min',
      line: 'npm run build -w api && node --import tsx api/prove/claims.ts',
      arguments: '[CALLS [KILLS [MIXED [AIMED]]]]',
    },
    crowd: {
      does: 'loads a real server with 20,000 connections three times, and simulates two million pages in virtual time',
      takes: '25 min',
      line: 'npm run build -w api && node --import tsx api/prove/crowd/main.ts',
      arguments: '[SECONDS [ROUNDS [SEED]]]',
    },
    deploy: {
      does: 'runs ten rounds of twenty publishes at once, into a folder and a bucket, with 57 kills',
      takes: '10 min',
      line: `DEPLOY_ROUNDS=10 ${tests('deploy', 'concurrency')}`,
    },
    environments: {
      does: 'tests a clone in each of 24 environments: users, locales, zones, variables, places of Node, dates, load, fonts, browsers, Postgres 16 to 18, no network, a bare Debian',
      takes: '4 h, or 10 min for each that you name',
      needs: 'chromium debootstrap libfaketime tcpdump iproute2, root',
      line: 'tools/run/environments.sh',
      arguments: '[ENVIRONMENT...]',
    },
    failover: {
      does: 'kills and freezes the machines of a Postgres cluster under load',
      takes: '10 min',
      needs: 'etcd-server patroni haproxy postgresql-15 iproute2, root',
      line: 'npm run build -w api && node --import tsx api/prove/failover/main.ts',
      arguments: '[ROUNDS]',
    },
    fuzz: {
      does: 'sends ten thousand bad requests: never a 5xx',
      takes: '5 min',
      line: `FUZZ=\${FUZZ:-10000} ${tests('api', 'calls')}`,
    },
    'go-live': {
      does: 'executes the blocks of docs/operate/go-live.md',
      takes: '10 min',
      needs:
        'nginx postgresql-15 openssl curl util-linux iproute2, what prove -- alerts needs, root',
      line: 'npm run release -- --dirty && tools/release/go-live.sh',
    },
    image: {
      does: 'builds the container image without a daemon, and runs it',
      takes: '3 min',
      needs: 'buildah mmdebstrap, root',
      line: 'npm run release -- --dirty && tools/release/image.sh',
    },
    loader: {
      does: 'runs the loader in 10,000 seeded worlds of releases, networks and clocks; SEED=17 repeats one',
      takes: '5 min',
      line: `WORLDS=\${WORLDS:-10000} ${tests('shell', 'loader-worlds')}`,
    },
    mutants: {
      does: 'changes readers, digit boxes, loader, claims, admission, records and rollback: tests see 90 % of the changes',
      takes: '3 h',
      line: 'tools/run/mutants.sh',
      arguments: '[PACKAGE FILE...]',
    },
    release: {
      does: 'builds a commit in two clones: the same bytes',
      takes: '3 min',
      line: 'tools/release/prove.sh',
    },
    upgrade: {
      does: 'replaces two API processes by the next version and back under load: no answer that the page would not repeat',
      takes: '5 min',
      line: 'npm run build && node --import tsx api/prove/upgrade.ts',
      arguments: '[TIMES]',
    },
  },
  bench: {
    api: {
      does: 'measures lists, histories, streak checks and bookings over HTTP by ledger, and claims against pgbench',
      takes: '25 min',
      needs: 'wrk postgresql-15',
      line: 'npm run build -w api && node --import tsx bench/api/run.ts',
      hasHelp: true,
    },
    dev: {
      does: 'measures the seconds from an edit to the open page',
      takes: '3 min',
      line: 'npm run test:nightly -- deploy/dev.spec',
    },
    load: {
      does: 'measures a first load against other ways to build the same app, or against another commit',
      takes: '30 min',
      needs: 'chromium',
      line: 'node --import tsx bench/load/main.ts',
      hasHelp: true,
    },
    press: {
      does: 'measures the way from a campaign page to /login',
      takes: '2 min',
      line: 'npm run test:nightly -- member/campaign-page',
    },
  },
  audit: {
    exports: {
      does: 'finds unused files, exports and dependencies (knip)',
      takes: '1 min',
      line: 'npx --yes knip@6.44.2 --no-progress --treat-config-hints-as-errors --config tools/knip.json',
    },
    packages: {
      does: 'checks the packages that others install (publint, are-the-types-wrong)',
      takes: '2 min',
      line: 'tools/audit-packages.sh',
    },
    pages: {
      does: 'checks the pages that need no login with Lighthouse',
      takes: '5 min',
      line: 'npx --yes @lhci/cli@0.15.1 autorun --config=bench/lighthouse.json',
    },
  },
}
