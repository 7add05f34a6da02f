// contract/config.d.ts
import { z } from 'zod';
export declare const publicConfigSchema: z.ZodObject<{
    apiBase: z.ZodDefault<z.ZodString>;
    site: z.ZodDefault<z.ZodString>;
    shareHost: z.ZodDefault<z.ZodString>;
    eventUrl: z.ZodOptional<z.ZodURL>;
    registerUrl: z.ZodOptional<z.ZodURL>;
    megaliveUrl: z.ZodDefault<z.ZodUnion<readonly [z.ZodString, z.ZodURL]>>;
    liveUrl: z.ZodOptional<z.ZodUnion<readonly [z.ZodString, z.ZodURL]>>;
    reportUrl: z.ZodOptional<z.ZodUnion<readonly [z.ZodString, z.ZodURL]>>;
    reportSample: z.ZodOptional<z.ZodString>;
    supportUrl: z.ZodOptional<z.ZodURL>;
}, z.core.$strict>;
export type PublicConfig = z.infer<typeof publicConfigSchema>;

// contract/host.d.ts
export declare const HOST_CONTRACT = "1.0";
export type AppPath = `/${string}`;
export interface PageProps {
    readonly host: Host;
}
export interface Host {
    readonly contract: string;
    readonly config: PublicConfig;
    readonly api: ClientApi;
    readonly session: SessionPort;
    readonly notify: Notify;
    readonly rules: {
        open(): void;
    };
    readonly clock: {
        now(): Date;
        isSet?(): boolean;
        spread?(): number;
    };
    navigate(path: AppPath, options?: {
        replace?: boolean;
        reload?: boolean;
    }): void;
    reload(): void;
}
export interface Session {
    readonly token: string;
    readonly username: string;
}
export interface SessionPort {
    current(): Session | null;
    start(login: {
        sign: string;
        username: string;
    }): void;
    clear(): void;
    subscribe(listener: () => void): () => void;
}
export interface NotifyOptions {
    duration?: number;
    afterReload?: boolean;
    silent?: boolean;
}
export interface Notify {
    success(text: string, options?: NotifyOptions): void;
    info(text: string, options?: NotifyOptions): void;
    warning(text: string, options?: NotifyOptions): void;
    error(text: string, options?: NotifyOptions): void;
}
export type ApiFailure = 'no-token' | 'unauthorized' | 'refused' | 'unreachable';
export interface ApiError extends Error {
    readonly name: 'ApiError';
    readonly failure: ApiFailure;
    readonly status?: number;
}
export declare const isApiError: (error: unknown) => error is ApiError;
export type ClaimedState = 0 | 1 | 2 | 3;
export interface Progress {
    readonly kind: string;
    readonly value: number;
    readonly goal: number;
}
export interface Mission {
    readonly id: string;
    readonly name: string;
    readonly claimed: ClaimedState;
    readonly codes: readonly string[];
    readonly tickets: number;
    readonly progress?: Progress;
}
export interface MissionList extends ReadonlyArray<Mission> {
    readonly next?: {
        readonly at: Date;
        readonly missions: readonly Mission[];
    };
}
export interface Claim {
    readonly mission: string;
    readonly shareLinks?: readonly string[];
    readonly streak?: {
        readonly start: string;
        readonly end: string;
    };
}
export type ClaimResult = {
    ok: true;
    codes: readonly string[];
} | {
    ok: false;
    message?: string;
};
export interface Login {
    readonly username: string;
    readonly lastBankNumber: string;
}
export type LoginResult = {
    ok: true;
    sign: string;
    username: string;
    needsAddress: boolean;
} | {
    ok: false;
};
export interface Address {
    readonly fullname: string;
    readonly phoneNumber: string;
    readonly address: string;
    readonly note: string;
}
export interface TicketEntry {
    readonly mission: string;
    readonly name: string;
    readonly codes: readonly string[];
    readonly voided?: readonly string[];
    readonly claimedAt: string;
    readonly prizes: readonly Win[];
    readonly lists?: readonly ListPlace[];
}
export interface Win {
    readonly code: string;
    readonly draw: number;
    readonly prize: string;
    readonly isGiftcode?: boolean;
    readonly delivery?: {
        readonly deliveredAt: string | null;
        readonly until: string;
    } | undefined;
}
export interface ListPlace {
    readonly code: string;
    readonly draw: number;
    readonly position: number;
}
export interface FrozenList {
    readonly draw: number;
    readonly count: number;
    readonly sha256: string;
    readonly frozenAt: string;
}
export interface DrawResults extends ReadonlyArray<DrawResult> {
    readonly frozen?: readonly FrozenList[];
}
export interface DrawResult {
    readonly draw: number;
    readonly prize: string;
    readonly codes: readonly string[];
    readonly owners?: readonly string[] | undefined;
    readonly total?: number | undefined;
}
export interface GiftcodeEntry {
    readonly giftcode: string;
    readonly tradedAt: string;
}
export type HistoryResult = {
    ok: true;
    tickets: readonly TicketEntry[];
    giftcodes: readonly GiftcodeEntry[];
    lastDraw: number;
} | {
    ok: false;
    message?: string;
};
export type CheckResult = {
    by: 'username';
    stages: readonly {
        stage: number;
        tickets: number;
    }[];
} | {
    by: 'code';
    valid: false;
} | {
    by: 'code';
    valid: true;
    stage: number;
    mission: string;
    claimedAt: string;
    lists: readonly Omit<ListPlace, 'code'>[];
} | {
    by: 'unsupported';
};
export interface ClientApi {
    login(login: Login): Promise<LoginResult>;
    updateInfo(address: Address, token: string): Promise<boolean>;
    missions(): Promise<MissionList>;
    takeCode(claim: Claim): Promise<ClaimResult>;
    history(): Promise<HistoryResult>;
    draws(): Promise<DrawResults>;
    check(query: {
        by: 'username' | 'code';
        value: string;
    }): Promise<CheckResult>;
    tradeGiftcode(): Promise<readonly GiftcodeEntry[]>;
}
