// contract/wire.d.ts
import { z } from 'zod';
export declare const envelope: <T extends z.ZodType>(data: T) => z.ZodObject<{
    status_code: z.ZodNumber;
    message: z.ZodOptional<z.ZodString>;
    data: T;
}, z.core.$strip>;
export interface Envelope<T> {
    status_code: number;
    message?: string;
    data: T;
}
export declare const loginBody: z.ZodObject<{
    site: z.ZodString;
    username: z.ZodString;
    lastBankNumber: z.ZodString;
}, z.core.$strip>;
export type LoginBody = z.infer<typeof loginBody>;
export declare const loginData: z.ZodObject<{
    required_address: z.ZodOptional<z.ZodNullable<z.ZodUnion<readonly [z.ZodBoolean, z.ZodNumber, z.ZodString]>>>;
    sign: z.ZodOptional<z.ZodString>;
    username: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
export type LoginData = z.infer<typeof loginData>;
export declare const addressBody: z.ZodObject<{
    address: z.ZodString;
    fullname: z.ZodString;
    phone_number: z.ZodString;
    note: z.ZodDefault<z.ZodString>;
}, z.core.$strip>;
export type AddressBody = z.input<typeof addressBody>;
export declare const missionData: z.ZodObject<{
    event_code_detail: z.ZodString;
    name: z.ZodString;
    code: z.ZodOptional<z.ZodNullable<z.ZodString>>;
    claimed: z.ZodNumber;
    tickets: z.ZodOptional<z.ZodNumber>;
    progress: z.ZodOptional<z.ZodNullable<z.ZodObject<{
        kind: z.ZodEnum<{
            "bet-total": "bet-total";
            "deposit-count": "deposit-count";
            "deposit-total": "deposit-total";
            streak: "streak";
        }>;
        value: z.ZodNumber;
        goal: z.ZodNumber;
    }, z.core.$strip>>>;
}, z.core.$strip>;
export type MissionData = z.infer<typeof missionData>;
export declare const missionsAnswer: z.ZodObject<{
    status_code: z.ZodNumber;
    message: z.ZodOptional<z.ZodString>;
    data: z.ZodArray<z.ZodObject<{
        event_code_detail: z.ZodString;
        name: z.ZodString;
        code: z.ZodOptional<z.ZodNullable<z.ZodString>>;
        claimed: z.ZodNumber;
        tickets: z.ZodOptional<z.ZodNumber>;
        progress: z.ZodOptional<z.ZodNullable<z.ZodObject<{
            kind: z.ZodEnum<{
                "bet-total": "bet-total";
                "deposit-count": "deposit-count";
                "deposit-total": "deposit-total";
                streak: "streak";
            }>;
            value: z.ZodNumber;
            goal: z.ZodNumber;
        }, z.core.$strip>>>;
    }, z.core.$strip>>;
    next: z.ZodOptional<z.ZodObject<{
        at: z.ZodISODateTime;
        missions: z.ZodArray<z.ZodObject<{
            event_code_detail: z.ZodString;
            name: z.ZodString;
            code: z.ZodOptional<z.ZodNullable<z.ZodString>>;
            claimed: z.ZodNumber;
            tickets: z.ZodOptional<z.ZodNumber>;
            progress: z.ZodOptional<z.ZodNullable<z.ZodObject<{
                kind: z.ZodEnum<{
                    "bet-total": "bet-total";
                    "deposit-count": "deposit-count";
                    "deposit-total": "deposit-total";
                    streak: "streak";
                }>;
                value: z.ZodNumber;
                goal: z.ZodNumber;
            }, z.core.$strip>>>;
        }, z.core.$strip>>;
    }, z.core.$strip>>;
}, z.core.$strip>;
export interface MissionsAnswer extends Envelope<MissionData[]> {
    next?: {
        at: string;
        missions: MissionData[];
    };
}
export declare const takeCodeBody: z.ZodObject<{
    event_code_detail: z.ZodString;
    share_links: z.ZodOptional<z.ZodArray<z.ZodString>>;
    startTimeStreak: z.ZodOptional<z.ZodISODate>;
    endTimeStreak: z.ZodOptional<z.ZodISODate>;
}, z.core.$strip>;
export type TakeCodeBody = z.infer<typeof takeCodeBody>;
export declare const codes: z.ZodUnion<readonly [z.ZodArray<z.ZodString>, z.ZodString]>;
export declare const takeCodeData: z.ZodOptional<z.ZodNullable<z.ZodUnion<readonly [z.ZodUnion<readonly [z.ZodArray<z.ZodString>, z.ZodString]>, z.ZodObject<{
    code: z.ZodUnion<readonly [z.ZodArray<z.ZodString>, z.ZodString]>;
}, z.core.$strip>]>>>;
export type TakeCodeData = z.infer<typeof takeCodeData>;
export declare const tradeData: z.ZodArray<z.ZodObject<{
    giftcode: z.ZodString;
    traded_at: z.ZodString;
}, z.core.$strip>>;
export type TradeData = z.infer<typeof tradeData>;
export declare const historyData: z.ZodObject<{
    code_details: z.ZodArray<z.ZodObject<{
        event_code_detail: z.ZodString;
        code: z.ZodArray<z.ZodString>;
        voided: z.ZodOptional<z.ZodArray<z.ZodString>>;
        claimed_at: z.ZodString;
        name: z.ZodOptional<z.ZodString>;
        prizes: z.ZodOptional<z.ZodArray<z.ZodObject<{
            code: z.ZodString;
            draw: z.ZodNumber;
            prize: z.ZodString;
            giftcode: z.ZodOptional<z.ZodBoolean>;
            delivery: z.ZodOptional<z.ZodNullable<z.ZodObject<{
                delivered_at: z.ZodNullable<z.ZodString>;
                until: z.ZodString;
            }, z.core.$strip>>>;
        }, z.core.$strip>>>;
        lists: z.ZodOptional<z.ZodArray<z.ZodObject<{
            code: z.ZodString;
            draw: z.ZodNumber;
            position: z.ZodNumber;
        }, z.core.$strip>>>;
    }, z.core.$strip>>;
    last_draw: z.ZodOptional<z.ZodNullable<z.ZodNumber>>;
    giftcode_trade: z.ZodArray<z.ZodObject<{
        giftcode: z.ZodString;
        traded_at: z.ZodString;
    }, z.core.$strip>>;
}, z.core.$strip>;
export type HistoryData = z.infer<typeof historyData>;
export declare const drawsData: z.ZodArray<z.ZodObject<{
    draw: z.ZodNumber;
    prize: z.ZodString;
    codes: z.ZodArray<z.ZodString>;
    owners: z.ZodOptional<z.ZodArray<z.ZodString>>;
    total: z.ZodOptional<z.ZodNumber>;
}, z.core.$strip>>;
export type DrawsData = z.infer<typeof drawsData>;
export declare const frozenList: z.ZodObject<{
    draw: z.ZodNumber;
    count: z.ZodNumber;
    sha256: z.ZodString;
    frozen_at: z.ZodString;
}, z.core.$strip>;
export declare const drawsAnswer: z.ZodObject<{
    status_code: z.ZodNumber;
    message: z.ZodOptional<z.ZodString>;
    data: z.ZodArray<z.ZodObject<{
        draw: z.ZodNumber;
        prize: z.ZodString;
        codes: z.ZodArray<z.ZodString>;
        owners: z.ZodOptional<z.ZodArray<z.ZodString>>;
        total: z.ZodOptional<z.ZodNumber>;
    }, z.core.$strip>>;
    frozen: z.ZodOptional<z.ZodArray<z.ZodObject<{
        draw: z.ZodNumber;
        count: z.ZodNumber;
        sha256: z.ZodString;
        frozen_at: z.ZodString;
    }, z.core.$strip>>>;
}, z.core.$strip>;
export interface DrawsAnswer extends Envelope<DrawsData> {
    frozen?: z.infer<typeof frozenList>[];
}
export declare const checkBody: z.ZodObject<{
    site: z.ZodString;
    by: z.ZodEnum<{
        code: "code";
        username: "username";
    }>;
    value: z.ZodString;
}, z.core.$strip>;
export type CheckBody = z.infer<typeof checkBody>;
export declare const checkData: z.ZodDiscriminatedUnion<[z.ZodObject<{
    by: z.ZodLiteral<"username">;
    stages: z.ZodArray<z.ZodObject<{
        stage: z.ZodNumber;
        tickets: z.ZodNumber;
    }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
    by: z.ZodLiteral<"code">;
    valid: z.ZodBoolean;
    stage: z.ZodOptional<z.ZodNumber>;
    mission: z.ZodOptional<z.ZodString>;
    claimed_at: z.ZodOptional<z.ZodString>;
    lists: z.ZodOptional<z.ZodArray<z.ZodObject<{
        draw: z.ZodNumber;
        position: z.ZodNumber;
    }, z.core.$strip>>>;
}, z.core.$strip>], "by">;
export type CheckData = z.infer<typeof checkData>;

// readers/bank-digits.d.ts
export declare const withoutSeparators: (text: string) => string;
export declare const readBankDigits: (text: string) => string | undefined;
export declare function readFourDigits(text: string): string;

// readers/visible-text.d.ts
export declare const visibleText: (text: string) => string;
export declare const composedText: (text: string) => string;
export declare const accountName: (text: string) => string;
export declare const hasVietnameseLetter: (text: string) => boolean;
