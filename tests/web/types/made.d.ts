// Made by python -m tests.web.message_types; not to be edited.
declare namespace Wire {
  interface AboutToCastle { do: "about_to_castle" }
  interface AbsenceRuled { event: "absence_ruled"; at: number; absent: Seat[]; forfeit: boolean; reason: string }
  interface AcceptUnread { do: "accept_unread"; plies: number[] }
  interface AcceptVoice { do: "accept_voice"; seat: Seat }
  interface Acknowledge { do: "acknowledge" }
  interface ActTaken { type: "act_taken"; what: "approved" | "arbiter" | "claim" | "flag" | "medical"; result: string }
  interface Active { kind: "active"; on: boolean }
  interface Adaptation { name: string; article: string; values: string[]; default: string; needs_approval: boolean; must_answer: boolean; default_follows: string; text: [string, string][]; fixed_at_start: boolean }
  interface AdaptationRecorded { event: "adaptation_recorded"; at: number; name: string; value: string; approved: boolean }
  interface AdaptationShown { name: string; article: string; value: string; recorded: boolean; question: boolean; must_answer: boolean; values: string[]; text: [string, string][] }
  interface AddTime { do: "add_time"; seat: Seat; ms: number; reason?: string; article?: string }
  interface Adjourned { event: "adjourned"; at: number; seat: Seat; ply: number; sha256: string; label: EnvelopeLabel; reply: boolean }
  interface AdjournmentShown { type: "adjournment_shown"; stage: string; own: boolean }
  interface Adjust { do: "adjust" }
  interface Adjusting { event: "adjusting"; at: number; seat: Seat }
  interface AlertSettled { event: "alert_settled"; at: number; numbers: number[]; how: "acknowledged" | "filed" | "misheard" | "put_off" }
  interface Alerted { event: "alerted"; at: number; kind: string; ply: number; grey: boolean; said: Saying | null; detail: string; utterance: string | null }
  interface AlertsChosen { event: "alerts_chosen"; at: number; station: string; spoken: boolean; language: string }
  interface AllowRoom { do: "allow_room"; allowed?: boolean; language?: string }
  interface Announced { event: "announced"; at: number; seat: Seat; speech: Speech; ply: number; origin: Origin; replaces: boolean; by_board: boolean; differs: boolean | null }
  interface Announcement { piece?: "bishop" | "king" | "knight" | "pawn" | "queen" | "rook" | null; from_square?: string | null; to_square?: string | null; promotion?: "bishop" | "knight" | "queen" | "rook" | null; castling?: "long" | "short" | null }
  interface AnnouncementOwed { event: "announcement_owed"; at: number; seat: Seat; ply: number }
  interface AnnouncementRepeated { event: "announcement_repeated"; at: number; seat: Seat; speech: Speech; ply: number; joins: boolean }
  interface AnnouncementSpoken { event: "announcement_spoken"; at: number; seat: Seat; utterance: string; until_ms: number | null; over: boolean }
  interface AnnouncementWaited { event: "announcement_waited"; at: number; seat: Seat; ply: number; ms: number; charge: string }
  interface AnnulGame { do: "annul_game"; reason: string }
  interface AnswerDraw { do: "answer_draw"; accept: boolean }
  interface AnswerGiven { type: "answer_given"; what: string; own_ms: number | null; opponent_ms: number | null; own_used_ms: number | null; opponent_used_ms: number | null; moves: number | null; own_runs: boolean | null; flag_first: string; to_control: number | null; period: number | null; periods: number | null; control: string; age_ms: number | null; words: string[]; text: string; score: string[]; placement: string; move: number | null; refused: string; article: string; more: boolean; took_ms: (number | null)[]; pairing: OwnPairing | null }
  interface AnswerRecording { do: "answer_recording"; agrees?: boolean }
  interface Answered { event: "answered"; at: number; seat: Seat; station: string; what: string; white_ms: number; black_ms: number; white_used_ms: number; black_used_ms: number; moves: number; running: Seat | null; words: string[]; age_ms: number | null; placement: string; score: string[]; to_control: number | null; period: number | null; periods: number; first_flag: Seat | null; move: number | null; refused: string; article: string; more: boolean; took_ms: (number | null)[]; pairing: OwnPairing | null }
  interface AppealNoted { event: "appeal_noted"; at: number; seat: Seat | null; against: string; text: string }
  interface ApproveClock { do: "approve_clock"; approved: boolean }
  interface ApproveResult { do: "approve_result"; result: "+/-" | "-/+" | "-/-" | "0-0" | "0-1" | "0-1/2" | "1-0" | "1/2-0" | "1/2-1/2" }
  interface ArbiterCalled { event: "arbiter_called"; at: number; seat: Seat | null; reason: string }
  interface Ask { do: "ask"; what: "article" | "clock" | "help" | "last" | "moves" | "opponent_score" | "opponent_time" | "pairing" | "position" | "score" | "score_here" | "score_next" | "score_previous" | "set_up" | "time"; move?: number | null; last?: number | null; refused?: string; article?: string }
  interface AskForCues { do: "ask_for_cues"; at_s?: (30 | 60 | 120 | 300 | 600)[]; countdown?: "off" | "ticks" | "words" }
  interface AskForSheet { do: "ask_for_sheet" }
  interface AskLaw { do: "ask_law"; article: string }
  interface AtEar { kind: "ear"; did: "began" | "ended" | "next" | "off" | "on" | "page" | "press" | "previous" | "repeat" | "stop" | "talk"; id?: string }
  interface Beat { kind: "beat"; n: number; ask: boolean; held: HeldTimes | null }
  interface Beaten { kind: "beat"; n: number }
  interface BeginReconstruction { do: "begin_reconstruction"; reason?: string }
  interface BeliefRevised { event: "belief_revised"; at: number; ply: number; uci: string; confidence: number }
  interface BoardConfirmed { event: "board_confirmed"; at: number; board: Seat }
  interface BoardMoved { event: "board_moved"; at: number; board: Seat; ply: number; uci: string; origin: Origin; differs: boolean }
  interface BoardRead { event: "board_read"; at: number; board: Seat; placement: string }
  interface BoardSaidSet { event: "board_said_set"; at: number; seat: Seat }
  interface BoardSet { event: "board_set"; at: number; board: Seat; placement: string; turn: Seat; origin: Origin; through: number | null; before: string | null }
  interface BoardShown { type: "board_shown"; placement: string; before: string }
  interface BoardToSet { type: "board_to_set"; squares: SquareToSet[] }
  interface BoardWanted { placement: string; turn: Seat; ply: number }
  type Boards = "two" | "one" | "two_special";
  interface BoardsShown { type: "boards_shown"; white: string; black: string }
  interface BoardsToSet { event: "boards_to_set"; at: number; because: string; ply: number; placement: string; turn: Seat; white: SquareToSet[]; black: SquareToSet[]; read: Seat | null; on_black: BoardWanted | null }
  interface Bonus { standard_s: number | null; rapid_s: number | null; blitz_s: number | null; blitz_full_s: number | null }
  interface CallArbiter { do: "call_arbiter"; reason?: string; stop?: boolean; medical?: boolean }
  interface CallFlag { do: "call_flag"; seat: Seat; both?: boolean }
  interface CancelGame { do: "cancel_game"; exchanged?: boolean; article?: string; reason?: string; table?: string }
  type Candidate = ["bishop" | "king" | "knight" | "pawn" | "queen" | "rook" | null, string | null, string | null, "bishop" | "knight" | "queen" | "rook" | null, "long" | "short" | null, number];
  interface CastlingMeant { event: "castling_meant"; at: number; seat: Seat; ply: number }
  interface CellHeard { event: "cell_heard"; at: number; seat: Seat; ply: number; utterance: string | null }
  interface CellTyped { event: "cell_typed"; at: number; seat: Seat; ply: number; text: string; language: string }
  interface CellsTyped { kind: "cells"; id: string; cells: string; act?: string; capitals?: boolean }
  interface CheckShown { item: string; seat: Seat | null; article: string; text: [string, string][]; ok: boolean | null; note: string }
  interface ChecklistItem { name: string; article: string; scope: "board" | "special_board" | "table"; text: [string, string][] }
  interface ChecklistTicked { event: "checklist_ticked"; at: number; item: string; seat: Seat | null; ok: boolean; note: string; own: boolean }
  interface ChooseAlerts { do: "choose_alerts"; spoken?: boolean; language?: string }
  interface ChooseClock { do: "choose_clock"; stop?: boolean; controls?: string[] }
  interface ChooseDevices { do: "choose_devices"; seat: Seat; microphone?: string | null; headphones?: string | null; headset?: boolean }
  interface ChooseEar { do: "choose_ear"; seat?: Seat | null; read_back?: ReadBack | null; speed?: number | null; speed_by?: number | null; voice?: string | null; language?: string | null; gain_db?: number | null; lower?: number | null; balance?: number | null; read_keys?: boolean | null; turn_keys?: boolean }
  interface ChooseTalking { do: "choose_talking"; talking: Talking; seat?: Seat | null }
  interface ClaimDraw { do: "claim_draw"; kind: "fifty_moves" | "increment" | "quickplay" | "repetition" | "unstated"; intended?: Announcement | null; ground?: "cannot_win" | "no_effort" | null; words?: string[]; text?: string; awaits?: boolean; evidence?: ("display" | "opponents_score" | "own_score" | "position")[] }
  interface ClaimIrregularity { do: "claim_irregularity"; kind: "illegal" | "other" | "touch"; note?: string }
  interface ClaimKindAsked { event: "claim_kind_asked"; at: number; seat: Seat; asks: string[] }
  interface ClaimKindStated { event: "claim_kind_stated"; at: number; seat: Seat; kind: string; ground: string | null }
  interface ClaimLooked { seat: Seat; kind: string; intended: string; awaits: boolean; known: boolean; same: number[]; quiet: number }
  interface ClaimRuled { event: "claim_ruled"; at: number; seat: Seat; kind: string; ruling: string; article: string }
  interface ClaimShown { type: "claim_shown"; own: boolean; ground: string; placement: string; score: string[]; text: string }
  interface ClaimTime { do: "claim_time" }
  interface ClockChoiceAsked { event: "clock_choice_asked"; at: number; seat: Seat; controls: TimeControl[]; number: number; until_ms: number }
  interface ClockChoiceEnded { event: "clock_choice_ended"; at: number; seat: Seat; outcome: "chosen" | "dropped" | "lapsed" | "none_left" | "stopped" }
  interface ClockCorrected { type: "clock_corrected"; own_ms: number | null; opponent_ms: number | null; own_runs: boolean | null }
  interface ClockKept { event: "clock_kept"; at: number; seat: Seat }
  type ClockMaster = "server" | "livechess" | "manual";
  interface ClockMasterChanged { event: "clock_master_changed"; at: number; clock_master: ClockMaster }
  interface ClockMasterShown { type: "clock_master_shown"; clock_master: ClockMaster }
  interface ClockPaused { event: "clock_paused"; at: number; by: Role; seat: Seat | null; reason: string; medical: Seat | null }
  interface ClockPeriod { moves: number | null; base_ms: number; increment_ms: number; kind: "bronstein" | "delay" | "fischer" }
  interface ClockPressed { event: "clock_pressed"; at: number; seat: Seat; ply: number; effective: boolean; held: string }
  interface ClockProposed { event: "clock_proposed"; at: number; seat: Seat; control: TimeControl }
  interface ClockRead { event: "clock_read"; at: number; white_ms: number; black_ms: number; ply: number }
  interface ClockResumed { event: "clock_resumed"; at: number }
  interface ClockSet { event: "clock_set"; at: number; white_ms: number; black_ms: number; turn: Seat; reason: string; moves: [number, number] | null; periods: [number, number] | null; by_hand: boolean; anew: boolean; move_ms: number | null }
  interface ClockSetUp { event: "clock_set_up"; at: number; control: TimeControl; seat: Seat | null }
  interface ClockSetting { type: "clock_setting"; stage: string; own: boolean; control: string }
  interface ClockShown { type: "clock_shown"; white_ms: number | null; black_ms: number | null; running: Seat | null; first_flag: Seat | null; at: number; told: Started | Paused | Resumed | TimeGiven | ClockCorrected | ClockMasterShown | null; age_ms: number | null }
  interface CloseDesk { do: "close_desk"; reason?: string }
  interface CommandRefused { event: "command_refused"; at: number; seat: Seat; station: string; code: string; article: string; utterance: string | null }
  interface Completed { event: "completed"; at: number; seat: Seat; ply: number; origin: Origin; white_ms: number | null; black_ms: number | null }
  interface Confirm { do: "confirm"; yes: boolean; typed?: boolean; sure?: boolean; voice_alone?: boolean; utterance?: string | null; at_ms?: number | null }
  interface ConfirmBoard { do: "confirm_board"; board: Seat }
  interface Contested { event: "contested"; at: number; seat: Seat; speech: Speech; ply: number }
  interface CopyBegins { kind: "copy_begins"; table: string; id: string; squares: string[]; words: string }
  interface CopyPiece { kind: "copy"; piece: Piece }
  interface CopySeal { kind: "copy_seal"; last: number; wall_ms: number; link: string; witness: string; seal: string }
  interface CorrectClock { do: "correct_clock"; seat: Seat; ms: number; completed?: number | null; turn?: Seat | null; reason?: string }
  interface CuesAsked { event: "cues_asked"; at: number; seat: Seat; at_s: number[]; countdown: "off" | "ticks" | "words" }
  interface DecideDesk { do: "decide_desk"; kind: "adjust" | "back" | "mend"; verdict?: "" | "differ" | "illegal_in_both" | "incomplete" | "out_of_step" | "same_record"; ply?: number | null; placement?: string | null; turn?: Seat | null; moves?: string[] | null; position_alone?: boolean; times?: "leave" | "stored" | "typed" | null; white_ms?: number | null; black_ms?: number | null; reason?: string }
  interface DecideGap { do: "decide_gap"; gap: string; decision: string; ply?: number | null; article?: string }
  interface Decided { event: "decided"; at: number; gap: string; ply: number; decision: string; article: string }
  interface DefaultTimeOver { event: "default_time_over"; at: number; absent: Seat[]; proposed: string }
  interface DelayDisplay { do: "delay_display"; delay_s: number; station?: string }
  interface DemandTwoBoards { do: "demand_two_boards"; seat?: Seat | null }
  interface DescribePlayer { do: "describe_player"; seat: Seat; hearing_impaired?: boolean | null; needs?: string | null; echo_scores?: boolean | null }
  interface DeskClosed { event: "desk_closed"; at: number; reason: string; differs: StillDiffers[] }
  interface DeskDecided { event: "desk_decided"; at: number; kind: string; verdict: string; ply: number | null; placement: string; turn: Seat; reason: string; white: SquareToSet[]; black: SquareToSet[]; moves: string[] | null; times: string; white_ms: number | null; black_ms: number | null; differs: StillDiffers[] }
  interface DeskOpened { event: "desk_opened"; at: number; snapshot: Snapshot; reason: string }
  interface DeviceFound { event: "device_found"; at: number; seat: Seat; device: string; approved: boolean; proposed: string; note: string }
  interface DeviceRegistered { event: "device_registered"; at: number; device: string; seat: Seat | null; approved: boolean; note: string; after_start: boolean }
  interface DevicesChosen { event: "devices_chosen"; at: number; seat: Seat; devices: SoundDevices }
  interface DisplayDelayed { event: "display_delayed"; at: number; station: string; delay_s: number }
  interface DisturbanceNoted { event: "disturbance_noted"; at: number; seat: Seat | null; ply: number; text: string; expelled: boolean }
  interface Do { kind: "do"; id: string; body: StationAct; about_ply?: number | null }
  interface DrawAnswered { event: "draw_answered"; at: number; seat: Seat; accepted: boolean; by_move: boolean; after_touch: boolean }
  interface DrawClaimed { event: "draw_claimed"; at: number; seat: Seat; ply: number; kind: string; announcement: Announcement | null; words: string[]; text: string; ground: string | null; awaits: boolean; evidence: string[]; asks: string[] }
  interface DrawOffer { type: "draw_offer"; own: boolean; by_claim: boolean; acknowledge: boolean }
  interface DrawOffered { event: "draw_offered"; at: number; seat: Seat; ply: number; by_claim: boolean; after: number | null }
  interface DrawReply { type: "draw_reply"; accepted: boolean; own: boolean; by_move: boolean }
  type Duty = "execute" | "announce" | "score_and_clock" | "inform" | "claim_and_report" | "adjourn";
  interface EarChoice { read_back: ReadBack | null; speed: number; voice: string; language: string; gain_db: number; lower: number; balance: number; read_keys: boolean; language_fixed: boolean }
  interface EarChosen { event: "ear_chosen"; at: number; seat: Seat; ear: EarChoice; word: string }
  interface EchoRecalled { event: "echo_recalled"; at: number; seat: Seat; ply: number }
  interface Echoed { event: "echoed"; at: number; seat: Seat; speech: Speech; ply: number; origin: Origin; agrees: boolean | null; again: boolean }
  interface EndReconstruction { do: "end_reconstruction"; completed_plies: number | null; evidence?: string }
  interface EndShown { result: string; reason: string; article: string; white: string | null; black: string | null }
  interface Ended { type: "ended"; result: string; reason: string; article: string }
  interface EnterMove { do: "enter_move"; uci: string; announcement?: Announcement | null; words?: string[]; text?: string }
  interface EnvelopeLabel { white: string; black: string; placement: string; fen: string; white_ms: number | null; black_ms: number | null; white_used_ms: number | null; black_used_ms: number | null; sealed_by: Seat; move_number: number; offer_by: Seat | null }
  interface EnvelopeMissing { event: "envelope_missing"; at: number; seat: Seat; ply: number; uci: string }
  interface EnvelopeOpened { event: "envelope_opened"; at: number; seat: Seat; ply: number; content: SealedMove; found: string; readings: string[] }
  interface EventOptions { default_time_s: number; draw_offer_min_moves: number | "forbidden"; supervision: Supervision; points: Points; report_when_leaving: boolean; guidelines: ("I" | "II" | "III")[]; overrides: [string, unknown][]; low_time_s: number[] | null; trouble_s: number; trouble_with_increment_s: number; long_increment_s: number; sound_needs_consent: boolean; voice_days: number | null; player_copies: boolean; unsupervised: boolean; device_penalty: "fine" | "less_time_for_offender" | "loss" | "more_time_for_opponent" | "warning" }
  interface EvidenceOpened { event: "evidence_opened"; at: number; reason: string; touches: TouchReported[] }
  interface Execute { do: "execute"; uci?: string | null; board?: Seat | null; origin?: "declared" | "entered" | "sensed" }
  interface Executed { event: "executed"; at: number; board: Seat; ply: number; origin: Origin }
  interface Explore { do: "explore"; about: "attackers" | "black" | "board" | "captures" | "file" | "last" | "moves" | "piece" | "rank" | "rays" | "square" | "white"; square?: string | null; file?: "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | null; rank?: "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | null; piece?: "bishop" | "king" | "knight" | "pawn" | "queen" | "rook" | null }
  interface Explored { event: "explored"; at: number; seat: Seat; station: string; about: string; white: string[]; black: string[]; squares: string[]; takes: [string, string][]; words: string[] }
  interface FlagCalled { event: "flag_called"; at: number; seat: Seat; both: boolean }
  interface FlagFell { event: "flag_fell"; at: number; seat: Seat }
  interface FlagShown { type: "flag_shown"; own: boolean }
  interface GameEnded { event: "game_ended"; at: number; result: string; reason: string; article: string }
  interface GameMended { event: "game_mended"; at: number; ply: number; uci: string | null; unknown: boolean }
  interface GameStarted { event: "game_started"; at: number; appointed: boolean }
  interface Greeted { kind: "greeting"; n: number; greeting: Greeting }
  interface Greeting { station: string; role: string; seat: Seat | null; seat_kind: string | null; duties: string[]; mode: Mode; rated: boolean; started: boolean; result: string | null; language: string; scheme: string; names: [string, string]; own_score: string[]; clock: ClockShown | null; picture: Picture | null; shown: Shown | null; board: string | null; table: TableShown | null; boards: BoardsShown | null; sound: SoundShown | null; training: boolean; chess960: boolean; press_keys: PressKeysShown | null; delay_s: number; next_game: NextGameShown | null; follows: string; quickplay: boolean; unsupervised: boolean; before: string[]; offer_unread: boolean }
  interface GuidelinesSettled { event: "guidelines_settled"; at: number; guidelines: ("I" | "II" | "III")[]; unsupervised: boolean; quickplay: boolean }
  interface GuidelinesShown { type: "guidelines_shown"; quickplay: boolean; unsupervised: boolean }
  interface HandedOver { event: "handed_over"; at: number; common_ms: number; uncertain_ms: number }
  interface HeadsetCheck { station: string; stays_out: boolean; ours_dbfs: number | null; at: number }
  interface HeadsetChecked { event: "headset_checked"; at: number; seat: Seat; found: HeadsetCheck }
  interface HearCell { do: "hear_cell"; seat: Seat; ply: number }
  interface HeldTimes { white_ms: number; black_ms: number; running: Seat | null; press: number | null }
  interface Hello { kind: "hello"; after?: number; language?: string | null; beats?: boolean }
  interface Hold { kind: "hold"; id?: string; after?: number; link?: string }
  interface Hush { kind: "hush"; id: string; why: string }
  interface IncidentBegun { event: "incident_begun"; at: number; numbers: number[] }
  interface IncidentNoted { event: "incident_noted"; at: number; kind: string; seat: Seat | null; ply: number; text: string; article: string }
  interface IncidentOpened { event: "incident_opened"; at: number; numbers: number[] }
  interface IncidentSettled { event: "incident_settled"; at: number; numbers: number[] }
  interface IncidentUndone { event: "incident_undone"; at: number; numbers: number[] }
  interface IncrementSet { event: "increment_set"; at: number; increment_ms: number; article: string; reason: string }
  interface IncrementShown { type: "increment_shown"; increment_ms: number }
  interface InstantsVoided { event: "instants_voided"; at: number; what: string[] }
  interface IntendedStated { event: "intended_stated"; at: number; seat: Seat; speech: Speech }
  interface Interrupted { event: "interrupted"; at: number; white_ms: number; black_ms: number; turn: Seat; uncertain_ms: number; reason: string; move_ms: number | null }
  interface IrregularityRuled { event: "irregularity_ruled"; at: number; seat: Seat; ply: number; kind: string; confirmed: boolean; counts: boolean | null; article: string; number: number; loses: boolean | null; bonus_ms: number | null; opponent_can_mate: string; proposed: string | null; line: number; pawn_goes_back: boolean }
  type Kind = "link" | "announcement" | "answer" | "read_back" | "page" | "cue";
  interface LawAsked { event: "law_asked"; at: number; seat: Seat; article: string }
  interface LawRead { type: "law_read"; article: string; text: string; language: string }
  interface LawReleased { event: "law_released"; at: number; seat: Seat; article: string }
  interface LearnPressKeys { do: "learn_press_keys"; at: "display" | "server" | null }
  interface LeaveRuled { event: "leave_ruled"; at: number; seat: Seat; granted: boolean; reason: string; place: string; person: string; article: string }
  interface LeavingReported { event: "leaving_reported"; at: number; seat: Seat; back: boolean; required: boolean }
  interface LendScore { do: "lend_score"; to: Seat }
  interface LevelFound { kind: "level"; finding: "clipped" | "good" | "noisy" | "quiet" | "silent"; speech_dbfs: number; peak_dbfs: number; snr_db: number; headset: "echo" | "proven" | "unknown" | null; utterance: number | null }
  interface LineSeen { station: string; role: string; seat: Seat | null; ms: number | null }
  interface LineSettled { event: "line_settled"; at: number; ply: number; moves: string[] | null; records: number[]; fen: string }
  interface LinesSeen { kind: "lines"; lines: LineSeen[] }
  interface LinkShown { type: "link_shown"; what: string }
  interface LowTime { event: "low_time"; at: number; seat: Seat; threshold_s: number }
  interface Made { event: "made"; at: number; seat: Seat; ply: number; origin: Origin }
  interface MarkOutOfStep { do: "mark_out_of_step"; note?: string }
  interface MarkPresent { do: "mark_present"; seat: Seat; present?: boolean }
  interface MateAnswered { event: "mate_answered"; at: number; number: number; seat: Seat; ply: number; verdict: "no" | "unknown" | "yes"; witness: string[]; reason: string; said: Saying | null }
  interface MateAsked { event: "mate_asked"; at: number; number: number; seat: Seat; ply: number; position: Position | null; why: string; note: string; said: Saying | null; announced: number }
  interface Mend { do: "mend"; ply: number; uci: string | null }
  type Mode = "table" | "relay" | "clock";
  interface ModeChanged { event: "mode_changed"; at: number; mode: Mode }
  interface ModeShown { type: "mode_shown"; mode: Mode; in_game: boolean }
  interface MoveSealed { event: "move_sealed"; at: number; seat: Seat; ply: number; sealed: string; sha256: string; utterance: string | null; understood: boolean }
  interface NextGameOpened { event: "next_game_opened"; at: number; table: string; exchanged: boolean }
  interface NextGameOrdered { event: "next_game_ordered"; at: number; table: string; exchanged: boolean; reason: string }
  interface NextGameShown { type: "next_game_shown"; table: string; seat: Seat | null }
  interface NoTaken { type: "no_taken"; what: string }
  interface NotDone { type: "not_done"; code: string; article: string; text: string }
  interface NotUnderstood { event: "not_understood"; at: number; seat: Seat; speech: Speech; ply: number; ask: boolean }
  interface NoteAppeal { do: "note_appeal"; against: string; text?: string; seat?: Seat | null }
  interface NoteDeviceFound { do: "note_device_found"; seat: Seat; device: string; note?: string }
  interface NoteDisturbance { do: "note_disturbance"; text: string; seat?: Seat | null; expelled?: boolean }
  interface NoteIncident { do: "note_incident"; kind: string; text: string; seat?: Seat | null; article?: string }
  interface NotePresent { do: "note_present"; seat: Seat; present?: boolean }
  interface NoteSupervision { do: "note_supervision"; games: number; recorded?: boolean }
  interface Numbered { kind: "message"; n: number; message: AnyMessage; lines: string[]; together: boolean }
  interface ObserverReported { event: "observer_reported"; at: number; station: string; kind: string; text: string; seat: Seat | null; ply: number }
  interface OfferAcknowledged { event: "offer_acknowledged"; at: number; seat: Seat; ply: number }
  interface OfferDraw { do: "offer_draw" }
  interface OfferMark { ply: number; white: string; black: string }
  interface OpenDesk { do: "open_desk"; reason?: string }
  interface OpenEnvelope { do: "open_envelope"; code?: string; content?: SealedMove | null }
  interface OpenEvidence { do: "open_evidence"; reason: string }
  interface OpenIncident { do: "open_incident"; numbers?: number[]; kind?: "absent" | "adjourn" | "boards" | "clock" | "crash" | "illegal" | "late" | "medical" | "phone" | "set_up" | "touch" | null; seat?: Seat | null }
  interface OpponentScore { type: "opponent_score"; lent: boolean; cells: string[] }
  interface Options { illegal_loses_at: number | null; illegal_counting: "by_category" | "together" | null; illegal_bonus: Bonus | null; wrong_draw_claim_bonus: Bonus | null; rapid_first_illegal_loses: boolean | null; press_without_move: "illegal" | "not_illegal" | null; two_hands: "duty_only" | "illegal_once_pressed" | null; unpromoted_pawn: "forced_queen" | "restore" | null; reversed_colours: "continue" | "new_game_under_ten" | null; resign_no_mate: "draw" | "loss" | null; touch_both_colours: "any_capture" | "laws" | null; scoresheet: "paper_or_certified_electronic" | "scoresheet" | null; result_confirmation: "signatures" | "signatures_or_electronic" | null; rapid_time_claim_needs_time_left: boolean | null; quickplay_claims: "always" | "announced" | null; quickplay_increment_request: boolean | null; quickplay_postponed_bonus_s: number | null; quickplay_rejected_bonus_s: number | null; offer_before_move: "move_may_be_demanded" | "valid" | null; adjust_needs_opponent: boolean | null; completion: "press_only" | "press_or_next_move" | null; fivefold_consecutive: boolean | null; sealed_on: "own_scoresheet" | "paper_scoresheet" | null; chess960: "guideline" | "not_offered" | null; score_complete_before: "moving" | "touching" | null }
  interface OrderSeal { do: "order_seal"; session_left_ms?: number | null; reply?: boolean; key?: string; salt?: string }
  type Origin = "sensed" | "declared" | "heard" | "entered" | "inferred";
  interface OutOfStep { event: "out_of_step"; at: number; ply: number; note: string }
  interface Outcome { kind: "outcome"; outcome: OutcomeShown; text: string }
  interface OutcomeShown { id: string; ok: boolean; code: string; article: string }
  interface OwnPairing { table: string; round: string; board: number; seat: Seat; opponent: string; starts: string; way: string }
  interface PairingChanged { event: "pairing_changed"; at: number; white: string; black: string; board: number; starts: string; way: string }
  interface PairingShown { type: "pairing_shown"; pairing: OwnPairing; changed: boolean }
  interface PairingTold { event: "pairing_told"; at: number; station: string; pairing: OwnPairing; changed: boolean }
  interface Pause { do: "pause"; medical?: Seat | null; reason?: string }
  interface Paused { type: "paused"; medical: boolean }
  interface Penalise { do: "penalise"; seat: Seat; penalty: "exclusion_from_rounds" | "expulsion" | "fewer_points_for_offender" | "fine" | "less_time_for_offender" | "loss" | "more_points_for_opponent" | "more_time_for_opponent" | "warning"; amount?: number; opponents?: "draw" | "loss" | "win"; reason?: string }
  interface Penalised { event: "penalised"; at: number; seat: Seat; penalty: string; article: string; amount: number; reason: string }
  interface PeriodBegun { event: "period_begun"; at: number; seat: Seat }
  interface PermitLeaving { do: "permit_leaving"; seat: Seat; granted?: boolean; place?: "area" | "venue"; person?: string; reason?: string }
  interface PermitVoiceActivity { do: "permit_voice_activity"; seat: Seat; granted?: boolean }
  interface Picture { white_board: string; black_board: string; game: string | null; made_plies: number; line: (string | null)[]; white_score: (string | null)[]; black_score: (string | null)[]; white_ms: number | null; black_ms: number | null; running: Seat | null; mode: Mode; out_of_step: boolean; behind: Seat | null; first_flag: Seat | null; points: [string, string] | null; obliged: string[]; obliged_by: string; exempt: Seat[]; white_sheet: ScoreShown | null; black_sheet: ScoreShown | null; offers: OfferMark[]; reconstruction: ReconstructionShown | null; claim: ClaimLooked | null; ended: EndShown | null; complained: number; age_ms: number | null }
  interface Piece { first: number; last: number; sealed: string }
  interface PlayConcluded { event: "play_concluded"; at: number; seat: Seat; ground: string; snapshot: Snapshot; missing: number[] }
  interface PlayerDescribed { event: "player_described"; at: number; seat: Seat; hearing_impaired: boolean | null; needs: string | null; echo_scores: boolean | null; assistant_needed: boolean }
  type Points = "1-\u00bd-0" | "3-1-0";
  interface Position { placement: string; turn: Seat; castling: string; en_passant: string; halfmoves: number; move_number: number; chess960: boolean }
  interface PositionTold { type: "position_told"; about: string; white: string[]; black: string[]; squares: string[]; takes: [string, string][]; words: string[]; text: string }
  interface PositionVerified { event: "position_verified"; at: number; seat: Seat; agrees: boolean; note: string }
  interface PrepareResumption { do: "prepare_resumption" }
  interface PresenceMarked { event: "presence_marked"; at: number; seat: Seat; present: boolean }
  interface PresenceNoted { event: "presence_noted"; at: number; seat: Seat; present: boolean; late: boolean }
  interface Press { do: "press" }
  interface PressKey { do: "press_key"; key: string }
  interface PressKeysAsked { event: "press_keys_asked"; at: number; where: "black" | "display" | "server" | "white" | null }
  interface PressKeysShown { type: "press_keys_shown"; stage: "known" | "learn" | "none"; white: string; black: string }
  interface PressKeysTold { event: "press_keys_told"; at: number; where: "black" | "display" | "server" | "white"; white: string; black: string }
  interface ProposalSettled { event: "proposal_settled"; at: number; seat: Seat; what: string; outcome: "confirmed" | "dropped" | "lapsed" | "refused" }
  interface Propose { do: "propose"; what: "claim_draw" | "claim_time" | "draw_accept" | "draw_decline" | "draw_offer" | "resign"; sure?: boolean; utterance?: string | null; at_ms?: number | null }
  interface Proposed { event: "proposed"; at: number; seat: Seat; what: "claim_draw" | "claim_time" | "draw_accept" | "draw_decline" | "draw_offer" | "resign"; sound_ms: number; until_ms: number; after: number; found: string; utterance: string | null }
  interface PutBack { do: "put_back" }
  interface Question { type: "question"; ask: string; utterance: string | null; piece: string; choices: string[]; either: string[][]; text: string; answers: string[]; within_ms: number | null }
  type ReadBack = "none" | "tick" | "short" | "full";
  interface ReadClock { do: "read_clock"; white_ms: number; black_ms: number }
  interface ReadOut { kind: "read_out"; text: string; language: string }
  interface ReconstructMove { do: "reconstruct_move"; uci: string }
  interface ReconstructionBegun { event: "reconstruction_begun"; at: number; snapshot: Snapshot; reason: string }
  interface ReconstructionEnded { event: "reconstruction_ended"; at: number; completed_plies: number | null; evidence: string; article: string }
  interface ReconstructionMoved { event: "reconstruction_moved"; at: number; uci: string; legal: boolean }
  interface ReconstructionShown { snapshot: Snapshot; line: string[]; placement: string; not_legal: number[] }
  interface ReconstructionUndone { event: "reconstruction_undone"; at: number }
  interface RecordAdaptation { do: "record_adaptation"; name: string; value: string; approved?: boolean }
  interface RecordFails { kind: "record_fails"; now: boolean; held: boolean }
  interface RecordScoresheet { do: "record_scoresheet"; seat: Seat; sheet: Scoresheet }
  interface Recorded { type: "recorded"; event: AnyEvent; picture: Picture | null; told: { [key: string]: string } | null; alerts: number; wall_ms: number }
  interface RecordingExempted { event: "recording_exempted"; at: number; seat: Seat; period: number }
  interface RegisterDevice { do: "register_device"; device: string; approved: boolean; seat?: Seat | null; note?: string }
  interface RehearsalNoted { event: "rehearsal_noted"; at: number; outcome: "done" | "skipped"; reason: string; passed: number[] }
  interface RehearsalShown { kind: "rehearsal"; step: number; of: number; text: string; yours: boolean; over: boolean; bell: boolean; seat: Seat | null; what: string }
  interface Relayed { type: "relayed"; words: string[]; text: string; again: boolean }
  interface ReleaseLaw { do: "release_law"; seat: Seat; article: string }
  interface ReleaseReview { do: "release_review"; released?: boolean }
  interface ReplaceEnvelope { do: "replace_envelope"; uci: string }
  interface ReportLeaving { do: "report_leaving"; back?: boolean }
  interface ReportToArbiter { do: "report_to_arbiter"; kind: "conduct" | "flag" | "irregularity" | "noise" | "other" | "touch"; text?: string; seat?: Seat | null }
  interface ReportTouch { do: "report_touch"; seat: Seat; square: string; how: "lifted" | "placed" | "released" | "touched"; piece?: string | null; origin?: "entered" | "sensed"; ply?: number | null }
  interface Resign { do: "resign" }
  interface ResignationShown { type: "resignation_shown"; own: boolean }
  interface Resigned { event: "resigned"; at: number; seat: Seat }
  interface RestoreTo { do: "restore_to"; ply?: number | null; times?: "leave" | "stored"; placement?: string | null; agreed?: boolean; reason?: string }
  interface Restored { event: "restored"; at: number; ply: number; discarded: (string | null)[]; reason: string; keeps: ("due" | "intended" | "offer" | "touched" | "touches")[]; exempt: [number | null, number | null] }
  interface ResultApproved { event: "result_approved"; at: number; seat: Seat; result: string }
  interface Resume { do: "resume" }
  interface Resumed { type: "resumed" }
  interface ResumptionBegun { event: "resumption_begun"; at: number }
  interface ResumptionPrepared { event: "resumption_prepared"; at: number; list: SetUpList }
  interface ReturnScore { do: "return_score" }
  interface ReviewReleased { event: "review_released"; at: number; released: boolean }
  interface ReviewShown { type: "review_shown"; released: boolean }
  type Role = "player" | "assistant" | "arbiter" | "display" | "observer";
  interface RoomAllowed { event: "room_allowed"; at: number; allowed: boolean; language: string }
  interface RuleAbsence { do: "rule_absence"; forfeit: boolean; reason?: string }
  interface RuleClaim { do: "rule_claim"; ruling: "correct" | "postponed" | "wrong"; bonus?: boolean }
  interface RuleIrregularity { do: "rule_irregularity"; ply: number; seat: Seat; kind: "illegal" | "no_move" | "touch" | "two_hands" | "unpromoted"; confirm?: boolean; give?: boolean; line?: number | null }
  interface RuleResult { do: "rule_result"; result: "+/-" | "-/+" | "-/-" | "0-0" | "0-1" | "0-1/2" | "1-0" | "1/2-0" | "1/2-1/2"; reason: string; article?: string }
  interface RuleSealed { do: "rule_sealed"; lost: boolean; uci?: string | null; reason?: string }
  interface RuleSet { name: string; title: string; options: Options; origins: ([string, "assumed" | "event" | "not stated" | "text"])[]; articles: [string, string][] }
  interface RuleSetUp { do: "rule_set_up"; what: "colours" | "orientation" | "position"; placement?: string | null; board?: Seat | null; names?: "keep" | "swap" }
  interface RuleStop { do: "rule_stop"; valid: boolean; reason?: string }
  interface RuleTouch { do: "rule_touch"; number: number; counts: boolean; reason?: string }
  interface RulingShown { type: "ruling_shown"; own: boolean; what: string; article: string }
  interface SaidToArbiter { event: "said_to_arbiter"; at: number; seat: Seat; speech: Speech }
  interface Say { do: "say"; announcement: Announcement | null; words?: string[]; text?: string; seat?: Seat | null; unclear?: string | null; utterance?: string | null; origin?: Origin; act?: "announce" | "auto" | "echo"; at_ms?: number | null; ask?: boolean; candidates?: Candidate[]; either?: string[][]; doubtful?: boolean }
  interface Saying { key: string; values: { [key: string]: string | number | Saying | (string | number | Saying)[] } }
  interface ScheduleStart { do: "schedule_start"; in_ms: number | null }
  interface ScoreDue { event: "score_due"; at: number; seats: Seat[]; ply: number; when: string; article: string }
  interface ScoreLent { event: "score_lent"; at: number; to: Seat; ply: number }
  interface ScoreLine { type: "score_line"; index: number; text: string; source: string }
  interface ScoreReturned { event: "score_returned"; at: number; seat: Seat }
  interface ScoreShown { sheet: string; sources: (string | null)[]; utterances: (string | null)[]; owing: boolean; lent: boolean }
  interface ScoreWritten { event: "score_written"; at: number; seat: Seat; index: number; text: string; source: string; utterance: string | null }
  type Scoresheet = "paper" | "dictated" | "braille" | "longhand" | "station";
  interface ScoresheetRecorded { event: "scoresheet_recorded"; at: number; seat: Seat; sheet: Scoresheet; says: string; article: string; certified: boolean }
  interface SealCode { kind: "seal_code"; squares: string[]; words: string }
  interface SealMove { do: "seal_move"; announcement?: Announcement | null; uci?: string | null; sealed?: string; sha256?: string; utterance?: string | null; understood?: boolean }
  interface SealOrdered { event: "seal_ordered"; at: number; seat: Seat; ply: number; key: string; salt: string; session_left_ms: number | null; reply: boolean }
  interface SealedMove { announcement?: Announcement | null; uci?: string | null; words?: string[]; text?: string; utterance?: string | null; origin?: Origin }
  interface SealedRuled { event: "sealed_ruled"; at: number; seat: Seat; ply: number; lost: boolean; uci: string | null; reason: string }
  interface SealedWords { kind: "sealed_words"; words: string[]; text: string; understood: boolean; ask: string | null; lines: string[] }
  type Seat = "white" | "black";
  type SeatKind = "tactile" | "low-vision" | "sighted";
  interface SeatPlan { kind: SeatKind; name: string; language: string; scheme: string; hearing_impaired: boolean; needs: string; echo_scores: boolean }
  interface Servers { kind: "servers"; addresses: string[]; key: string; led: string }
  interface SessionEnded { event: "session_ended"; at: number }
  interface SessionShown { type: "session_shown"; length_ms: number }
  interface SessionStarted { event: "session_started"; at: number; length_ms: number }
  interface SetAside { event: "set_aside"; at: number; seat: Seat; speech: Speech; ply: number }
  interface SetBoard { do: "set_board"; board: Seat; placement: string; turn: Seat }
  interface SetClock { do: "set_clock"; white_ms: number; black_ms: number; turn: Seat; reason?: string; moves?: [number, number] | null; periods?: [number, number] | null }
  interface SetClockMaster { do: "set_clock_master"; clock_master: ClockMaster }
  interface SetIncrement { do: "set_increment"; increment_ms: number; article?: string; reason?: string }
  interface SetMode { do: "set_mode"; mode: Mode }
  interface SetUpClock { do: "set_up_clock"; control: string }
  interface SetUpList { placement: string; turn: Seat; white_ms: number | null; black_ms: number | null; white_used_ms: number | null; black_used_ms: number | null; white_board: string[]; black_board: string[] }
  interface SetUpRuled { event: "set_up_ruled"; at: number; what: string; says: string; article: string; board: Seat | null; placement: string; castling: string | null; names: [string, string] | null; transfer: string[] }
  interface SettleAlert { do: "settle_alert"; numbers: number[]; how: "acknowledged" | "filed" | "misheard" | "put_off" }
  interface SettleGuidelines { do: "settle_guidelines"; adjournments: boolean; quickplay: boolean; unsupervised?: boolean }
  interface SettleIncident { do: "settle_incident"; numbers: number[]; steps: (Pause | Resume | SetClock | AddTime | SetIncrement | SetBoard | CallFlag | RuleResult | Mend | CorrectClock | RuleStop | RuleAbsence | OpenDesk | ConfirmBoard | NotePresent | RuleIrregularity | RestoreTo | TakeBack | RuleClaim | RuleTouch | Penalise | RuleSetUp | RegisterDevice | SettleAlert)[] }
  interface SheetAsked { event: "sheet_asked"; at: number; seat: Seat; number: number; answer: string; article: string }
  interface ShowBoard { do: "show_board"; board: Seat; placement: string }
  interface ShowToSpectators { do: "show_to_spectators"; show: boolean; delay_s?: number }
  interface Shown { type: "shown"; placement: string | null; words: string[]; text: string }
  interface ShownToSpectators { event: "shown_to_spectators"; at: number; show: boolean; delay_s: number }
  interface Snapshot { white_board: string; black_board: string; game: string | null; made_plies: number; white_ms: number; black_ms: number; running: Seat | null; turn: Seat; moves: [number, number]; periods: [number, number]; white_score: (string | null)[]; black_score: (string | null)[] }
  interface SoundDevices { microphone: string | null; headphones: string | null; headset: boolean }
  interface SoundKept { event: "sound_kept"; at: number; seat: Seat; utterance: string; sha256: string | null; length_ms: number; fault: string | null }
  interface SoundLost { event: "sound_lost"; at: number; seat: Seat; what: "devices" | "microphone" }
  interface SoundReady { kind: "sound"; n: number; id: string; text: string; length_ms: number; what: Kind }
  interface SoundShown { type: "sound_shown"; talking: Talking; voice_activity: boolean; device: boolean; known_voice: boolean; headphones: boolean; ear: EarChoice; headset: boolean; word: string; consent: boolean | null; keeps_sound: boolean }
  interface Speech { announcement: Announcement | null; words: string[]; text: string; utterance: string | null; unclear: string | null; candidates: Candidate[]; either: string[][]; doubtful: boolean }
  interface SpeechCut { event: "speech_cut"; at: number; seat: Seat | null; text: string; utterance: string; heard_ms: number; length_ms: number; why: string; again: boolean; listener: string }
  interface SpokenPrivately { event: "spoken_privately"; at: number; seat: Seat | null; text: string; utterance: string | null; sha256: string | null; length_ms: number; listener: string }
  interface SquareAsked { event: "square_asked"; at: number; seat: Seat; number: number; of: number; square: string; should_be: string | null }
  interface SquareToSet { square: string; should_be: string | null }
  interface SquareToSetNow { type: "square_to_set_now"; square: string | null; should_be: string | null; number: number; of: number }
  interface StartGame { do: "start_game" }
  interface StartResumption { do: "start_resumption" }
  interface StartScheduled { event: "start_scheduled"; at: number; due_ms: number | null }
  interface StartSession { do: "start_session"; length_ms: number }
  interface Started { type: "started"; appointed: boolean }
  interface StationAdmitted { event: "station_admitted"; at: number; station: string; role: Role; seat: Seat | null; duties: Duty[]; under: string; provided_by: string }
  interface StationRevoked { event: "station_revoked"; at: number; station: string; reason: string }
  interface StillDiffers { what: string; ply: number; squares: string[] }
  interface StopRuled { event: "stop_ruled"; at: number; seat: Seat; valid: boolean; reason: string; article: string }
  interface StopSealed { do: "stop_sealed" }
  type Supervision = "full" | "basic";
  interface SupervisionNoted { event: "supervision_noted"; at: number; games: number; recorded: boolean; possible: boolean; article: string }
  interface TableOpened { event: "table_opened"; at: number; white: SeatPlan; black: SeatPlan; start_fen: string; control: TimeControl; rated: boolean; mode: Mode; clock_master: ClockMaster; rule_set: string; chess960: boolean; event_name: string; round: string; board: number; regulations: EventOptions | null; rules: RuleSet | null; adaptations: Adaptation[]; boards: Boards; checklist: ChecklistItem[]; training: boolean; follows: string; starts: string; way: string }
  interface TableShown { rule_set: string; title: string; rated: boolean; supervision: string; overrides: string[]; boards: Boards; needs: [string, string]; adaptations: AdaptationShown[]; checklist: CheckShown[]; assistant_needed: boolean; sound_needs_consent: boolean; guidelines: ("I" | "II" | "III")[]; quickplay: boolean; unsupervised: boolean; hearing_impaired: [boolean, boolean] }
  interface TakeBack { do: "take_back"; ply?: number | null; kind?: "illegal" | "no_move" | "touch" | "two_hands" | "unpromoted"; to?: number | null; times?: "leave" | "stored"; give_ms?: number | null; give_to?: Seat | null; touched?: string | null; resume?: boolean; placement?: string | null; agreed?: boolean; reason?: string }
  interface TakenOver { event: "taken_over"; at: number; own_less_run_ms: number; uncertain_ms: number; detail: string }
  interface Takeover { kind: "taken"; utterance: number }
  type Talking = "held" | "toggled" | "voice";
  interface TalkingChosen { event: "talking_chosen"; at: number; seat: Seat; talking: Talking }
  interface TellPressKeys { do: "tell_press_keys"; white: string; black: string }
  interface TickChecklist { do: "tick_checklist"; item: string; seat?: Seat | null; ok?: boolean; note?: string }
  interface TimeAdded { event: "time_added"; at: number; seat: Seat; ms: number; reason: string; article: string }
  interface TimeClaimed { event: "time_claimed"; at: number; seat: Seat }
  interface TimeControl { periods: ClockPeriod[]; add_at: "control" | "zero"; count_moves: boolean; freeze: boolean; in_advance: boolean }
  interface TimeCue { type: "time_cue"; left_s: number; way: string }
  interface TimeCued { event: "time_cued"; at: number; seat: Seat; left_s: number; way: "ticks" | "time" | "words"; late: boolean }
  interface TimeGiven { type: "time_given"; own: boolean; ms: number }
  interface TouchReported { event: "touch_reported"; at: number; number: number; seat: Seat; ply: number; square: string; how: string; origin: Origin; piece: string | null; because: string; sealed: boolean; rejects: boolean | null }
  interface TouchRuled { event: "touch_ruled"; at: number; number: number; counts: boolean; reason: string; offer: "" | "back" | "rejected" }
  interface TrainingAsked { event: "training_asked"; at: number; seat: Seat; ply: number; ask: "illegal" | "which"; piece: string; choices: string[]; utterance: string | null }
  interface TwoBoardsDemanded { event: "two_boards_demanded"; at: number; seat: Seat }
  interface TypeCell { do: "type_cell"; seat: Seat; ply: number; text: string; language?: string }
  interface Typed { kind: "typed"; id: string; text: string; act?: string; capitals?: boolean; seat?: Seat | null }
  interface Understood { type: "understood"; words: string[]; text: string; utterance: string | null; doubtful: boolean; echo: boolean }
  interface UndoIncident { do: "undo_incident" }
  interface UndoReconstruction { do: "undo_reconstruction" }
  interface UnreadAccepted { event: "unread_accepted"; at: number; plies: number[] }
  interface VerifyPosition { do: "verify_position"; agrees: boolean; note?: string }
  interface VoiceAccepted { event: "voice_accepted"; at: number; seat: Seat }
  interface VoiceActivityPermitted { event: "voice_activity_permitted"; at: number; seat: Seat; granted: boolean }
  interface VoiceBound { event: "voice_bound"; at: number; seat: Seat; profile: string }
  interface WriteScore { do: "write_score"; index: number; text: string; words?: string[] }
  interface Wrong { kind: "wrong"; text: string }
  type Incoming = Hello | Do | Typed | CellsTyped | AtEar | ReadOut | Beaten | Hold;
  type Outgoing = Greeted | Numbered | Outcome | SoundReady | Hush | Takeover | LevelFound | Active | SealedWords | SealCode | Beat | LinesSeen | CopyBegins | CopyPiece | CopySeal | RecordFails | RehearsalShown | Servers | Wrong;
  type AnyMessage = Understood | Question | NotDone | ActTaken | Relayed | ClockShown | AnswerGiven | PairingShown | ReviewShown | PositionTold | PressKeysShown | ScoreLine | OpponentScore | BoardShown | BoardToSet | SquareToSetNow | Started | Paused | Resumed | ModeShown | DrawOffer | DrawReply | Ended | FlagShown | TimeCue | ClockSetting | ClockCorrected | ClockMasterShown | TimeGiven | NoTaken | IncrementShown | RulingShown | NextGameShown | AdjournmentShown | SessionShown | GuidelinesShown | ResignationShown | Recorded | ClaimShown | LawRead | Shown | BoardsShown | SoundShown | LinkShown;
  type AnyEvent = SealOrdered | MoveSealed | Adjourned | ResumptionPrepared | PresenceMarked | ResumptionBegun | EnvelopeOpened | SealedRuled | EnvelopeMissing | CuesAsked | TimeCued | ClockProposed | ClockSetUp | ClockChoiceAsked | ClockChoiceEnded | ClockKept | ClockPressed | ClockPaused | ClockResumed | ClockSet | TimeAdded | IncrementSet | PeriodBegun | FlagFell | StopRuled | DisturbanceNoted | DeviceFound | LeavingReported | SupervisionNoted | ClockRead | ObserverReported | LawAsked | LawReleased | ScoresheetRecorded | ScoreDue | ScoreLent | ScoreReturned | ReviewReleased | ReconstructionBegun | ReconstructionMoved | ReconstructionUndone | ReconstructionEnded | DeskOpened | BoardRead | CellTyped | CellHeard | UnreadAccepted | LineSettled | DeskDecided | BoardsToSet | BoardConfirmed | SquareAsked | BoardSaidSet | DeskClosed | Announced | SoundKept | NotUnderstood | SetAside | AnnouncementRepeated | Contested | Made | Completed | Echoed | EchoRecalled | Executed | BoardMoved | BoardSet | ScoreWritten | BeliefRevised | GameMended | OutOfStep | AnnouncementOwed | AnnouncementSpoken | AnnouncementWaited | Explored | TrainingAsked | DrawOffered | OfferAcknowledged | DrawAnswered | TimeClaimed | DrawClaimed | ClaimKindAsked | ClaimKindStated | ClaimRuled | FlagCalled | Resigned | ResultApproved | GameEnded | Proposed | ProposalSettled | IntendedStated | SaidToArbiter | MateAsked | MateAnswered | PlayConcluded | PositionVerified | Answered | SpokenPrivately | SpeechCut | CommandRefused | ArbiterCalled | CastlingMeant | Adjusting | SheetAsked | RecordingExempted | IncidentOpened | IncidentBegun | IncidentSettled | IncidentUndone | AlertSettled | Alerted | TouchReported | TouchRuled | EvidenceOpened | IrregularityRuled | Restored | Decided | Penalised | IncidentNoted | DeviceRegistered | LeaveRuled | AppealNoted | StartScheduled | PresenceNoted | DefaultTimeOver | AbsenceRuled | SessionStarted | SessionEnded | LowTime | HandedOver | TakenOver | InstantsVoided | TalkingChosen | EarChosen | VoiceActivityPermitted | VoiceAccepted | DevicesChosen | SoundLost | RoomAllowed | AlertsChosen | HeadsetChecked | VoiceBound | PressKeysAsked | PressKeysTold | DisplayDelayed | ShownToSpectators | RehearsalNoted | TableOpened | PairingChanged | PairingTold | NextGameOrdered | NextGameOpened | StationAdmitted | StationRevoked | ChecklistTicked | PlayerDescribed | TwoBoardsDemanded | GuidelinesSettled | GameStarted | ModeChanged | ClockMasterChanged | AdaptationRecorded | SetUpRuled | Interrupted;
  type StationAct = OrderSeal | SealMove | StopSealed | PrepareResumption | MarkPresent | StartResumption | OpenEnvelope | RuleSealed | ReplaceEnvelope | AnnulGame | AskForCues | SetUpClock | ChooseClock | CorrectClock | ApproveClock | RuleStop | NoteDeviceFound | ReportLeaving | NoteSupervision | ReadClock | ReportToArbiter | AskLaw | ReleaseLaw | NoteDisturbance | RecordScoresheet | LendScore | ReturnScore | BeginReconstruction | ReconstructMove | UndoReconstruction | EndReconstruction | ReleaseReview | OpenDesk | ShowBoard | TypeCell | HearCell | AcceptUnread | DecideDesk | ConfirmBoard | CloseDesk | Say | EnterMove | Press | Execute | PutBack | WriteScore | Ask | Explore | CallArbiter | DemandTwoBoards | Adjust | AboutToCastle | AskForSheet | ReportTouch | ClaimIrregularity | OfferDraw | AnswerDraw | Acknowledge | Resign | ClaimTime | ClaimDraw | ApproveResult | VerifyPosition | Propose | Confirm | RuleClaim | RuleTouch | OpenEvidence | RuleIrregularity | RestoreTo | TakeBack | DecideGap | Penalise | NoteIncident | RegisterDevice | PermitLeaving | NoteAppeal | RuleSetUp | SettleAlert | OpenIncident | UndoIncident | ScheduleStart | NotePresent | RuleAbsence | StartSession | ChooseTalking | ChooseEar | PermitVoiceActivity | ChooseDevices | AcceptVoice | AllowRoom | ChooseAlerts | AnswerRecording | LearnPressKeys | TellPressKeys | PressKey | DelayDisplay | ShowToSpectators | StartGame | SettleGuidelines | Pause | Resume | SetClock | AddTime | SetIncrement | SetMode | SetClockMaster | RecordAdaptation | TickChecklist | DescribePlayer | Mend | MarkOutOfStep | SetBoard | RuleResult | CancelGame | CallFlag | SettleIncident;
}

type Tag = HTMLElementTagNameMap;
interface PageElements {
  "about": Tag["input"];
  "about-to-castle": Tag["button"];
  "act": Tag["select"];
  "act-count": Tag["p"];
  "act-find": Tag["input"];
  "act-form": Tag["form"];
  "act-search": Tag["form"];
  "acts": Tag["section"];
  "acts-all-title": Tag["h2"];
  "acts-title": Tag["h2"];
  "adapt": Tag["form"];
  "adaptation": Tag["select"];
  "adaptation-approved": Tag["input"];
  "adaptation-sheet": Tag["details"];
  "adaptation-text": Tag["p"];
  "adaptation-value": Tag["select"];
  "admitted": Tag["section"];
  "admitted-list": Tag["ul"];
  "admitted-none": Tag["p"];
  "admitted-title": Tag["h2"];
  "again": Tag["button"];
  "again-key": Tag["select"];
  "alerts": Tag["ol"];
  "alerts-all": Tag["button"];
  "alerts-ear": Tag["select"] & { value: "no" | "yes" };
  "alerts-filed": Tag["ol"];
  "alerts-put-off": Tag["ol"];
  "alerts-section": Tag["section"];
  "alerts-title": Tag["h2"];
  "all": Tag["button"];
  "all-tables": Tag["a"];
  "allow-room": Tag["form"];
  "aloud": Tag["button"];
  "aloud-sheet": Tag["details"];
  "announce-title": Tag["h2"];
  "answer": Tag["p"];
  "article": Tag["input"];
  "ask": Tag["form"];
  "ask-title": Tag["h2"];
  "at": Tag["h3"];
  "bar": Tag["div"];
  "black-board": Tag["table"];
  "black-board-title": Tag["h3"];
  "black-score": Tag["table"];
  "board": Tag["table"];
  "board-title": Tag["h2"];
  "boards": Tag["section"] | Tag["ul"];
  "boards-shown": Tag["fieldset"];
  "boards-state": Tag["span"];
  "boards-title": Tag["h2"];
  "boards-two": Tag["div"];
  "brf": Tag["a"];
  "bs": Tag["h3"];
  "bulletin-brf": Tag["a"];
  "bulletin-html": Tag["a"];
  "bulletin-pdf": Tag["a"];
  "bulletin-pgn": Tag["a"];
  "by-voice": Tag["div"] | Tag["p"];
  "capitals": Tag["input"];
  "cards": Tag["form"];
  "cards-for": Tag["select"];
  "cell": Tag["input"];
  "cell-side": Tag["select"] & { value: "white" | "black" };
  "cell-text": Tag["input"];
  "cells": Tag["ol"];
  "cells-title": Tag["h3"];
  "check": Tag["button"];
  "checklist": Tag["div"];
  "checklist-sheet": Tag["details"];
  "checklist-state": Tag["span"];
  "choose": Tag["p"];
  "choose-alerts": Tag["form"];
  "choose-devices": Tag["form"];
  "choose-key": Tag["select"];
  "claim": Tag["form"];
  "claim-box": Tag["dialog"];
  "claim-found": Tag["ul"];
  "claim-hint": Tag["p"];
  "claim-kind": Tag["select"] & { value: "repetition" | "fifty_moves" | "unstated" };
  "claim-leave": Tag["button"];
  "claim-move": Tag["select"] & { value: "none" | "written" | "told" };
  "claim-open": Tag["button"] | Tag["p"];
  "claim-section": Tag["section"];
  "claim-title": Tag["h2"];
  "claim-written": Tag["input"];
  "claim-wrong": Tag["p"];
  "clock-bonus": Tag["input"];
  "clock-minutes": Tag["input"];
  "clock-preset": Tag["select"] & { value: "" | "90+30" | "60+30" | "25+10" | "15+10" | "10+5" | "5+3" | "3+2" };
  "clock-title": Tag["h2"];
  "clocks": Tag["div"];
  "code": Tag["input"];
  "code-hint": Tag["p"];
  "codes-locked": Tag["p"];
  "consent": Tag["div"];
  "controls": Tag["datalist"];
  "copy-code": Tag["p"];
  "copy-save": Tag["button"];
  "copy-save-before": Tag["button"];
  "copy-sheet": Tag["details"];
  "copy-show": Tag["button"];
  "copy-until": Tag["p"];
  "correct-clock": Tag["form"];
  "correct-moves": Tag["input"];
  "correct-sheet": Tag["details"];
  "correct-side": Tag["select"] & { value: "white" | "black" };
  "correct-time": Tag["input"];
  "correct-time-said": Tag["p"];
  "countdown": Tag["select"] & { value: "off" | "words" | "ticks" };
  "cues": Tag["form"];
  "curve": Tag["button"];
  "delay-all": Tag["select"];
  "delayed": Tag["p"];
  "desk": Tag["details"];
  "desk-accept": Tag["button"];
  "desk-adjust": Tag["button"];
  "desk-answer": Tag["div"];
  "desk-asking": Tag["div"];
  "desk-back": Tag["button"];
  "desk-begin": Tag["div"];
  "desk-black": Tag["table"];
  "desk-boards": Tag["div"];
  "desk-body": Tag["div"];
  "desk-cell": Tag["input"];
  "desk-cell-label": Tag["label"];
  "desk-cell-read": Tag["p"];
  "desk-close": Tag["button"];
  "desk-compared": Tag["div"];
  "desk-confirm-black": Tag["button"];
  "desk-confirm-white": Tag["button"];
  "desk-decided": Tag["div"];
  "desk-decision": Tag["div"];
  "desk-differing": Tag["ol"];
  "desk-differing-title": Tag["h3"];
  "desk-explanations": Tag["ol"];
  "desk-hint": Tag["p"];
  "desk-lines": Tag["div"];
  "desk-lines-title": Tag["h3"];
  "desk-listen": Tag["button"];
  "desk-mend": Tag["button"];
  "desk-more": Tag["input"];
  "desk-open": Tag["button"];
  "desk-open-still": Tag["div"];
  "desk-piece": Tag["select"];
  "desk-position-alone": Tag["input"];
  "desk-protocol": Tag["a"];
  "desk-set-black": Tag["ol"];
  "desk-set-white": Tag["ol"];
  "desk-setting": Tag["div"];
  "desk-setting-title": Tag["h3"];
  "desk-sheet-black": Tag["textarea"];
  "desk-sheet-white": Tag["textarea"];
  "desk-sheets": Tag["form"];
  "desk-show-black": Tag["button"];
  "desk-show-white": Tag["button"];
  "desk-state-black": Tag["p"];
  "desk-state-white": Tag["p"];
  "desk-time-black": Tag["input"];
  "desk-time-black-said": Tag["p"];
  "desk-time-white": Tag["input"];
  "desk-time-white-said": Tag["p"];
  "desk-times": Tag["fieldset"];
  "desk-times-leave": Tag["input"];
  "desk-times-leave-text": Tag["span"];
  "desk-times-stored": Tag["input"];
  "desk-times-stored-text": Tag["span"];
  "desk-times-typed": Tag["input"];
  "desk-times-unknown": Tag["p"];
  "desk-typing": Tag["form"];
  "desk-white": Tag["table"];
  "desk-whole": Tag["details"];
  "device-headphones": Tag["select"];
  "device-headset": Tag["input"];
  "device-microphone": Tag["select"];
  "device-seat": Tag["select"] & { value: "white" | "black" };
  "devices": Tag["ul"];
  "devices-sheet": Tag["details"];
  "devices-text": Tag["p"];
  "door": Tag["section"];
  "door-title": Tag["h2"];
  "due": Tag["div"];
  "due-acts": Tag["div"];
  "due-text": Tag["p"];
  "duties": Tag["ul"];
  "duties-title": Tag["h2"];
  "ear-choice": Tag["div"];
  "entry-key": Tag["select"];
  "entry-other": Tag["select"];
  "entry-state": Tag["p"];
  "evenly": Tag["button"];
  "example": Tag["p"];
  "explore": Tag["p"];
  "exports": Tag["details"];
  "facts": Tag["p"];
  "field": Tag["input"];
  "field-hint": Tag["p"];
  "file": Tag["input"];
  "file-form": Tag["form"];
  "filed": Tag["details"];
  "filed-count": Tag["span"];
  "find": Tag["input"];
  "first": Tag["button"];
  "folds": Tag["div"];
  "found": Tag["ul"];
  "found-hint": Tag["p"];
  "found-title": Tag["h3"];
  "functions": Tag["ul"];
  "game": Tag["section"];
  "game-before": Tag["a"];
  "game-title": Tag["h2"];
  "glance": Tag["table"];
  "glance-title": Tag["h2"];
  "go": Tag["button"];
  "hall": Tag["section"];
  "hall-title": Tag["h2"];
  "handout": Tag["a"];
  "headset": Tag["input"];
  "heard": Tag["p"];
  "here": Tag["p"];
  "holds": Tag["ul"];
  "invitation": Tag["div"];
  "invitation-text": Tag["p"];
  "invite": Tag["form"];
  "invite-duties": Tag["fieldset"];
  "invite-for": Tag["select"] & { value: "player-white" | "player-black" | "assistant-white" | "assistant-black" | "display" | "observer" | "arbiter" };
  "invite-sheet": Tag["details"];
  "join": Tag["form"];
  "join-title": Tag["h2"];
  "joining": Tag["section"];
  "keep": Tag["button"];
  "kept": Tag["p"];
  "keys-sheet": Tag["details"];
  "kind": Tag["select"];
  "label": Tag["input"];
  "languages": Tag["div"];
  "large-clock": Tag["button"];
  "last": Tag["p"];
  "last-by": Tag["p"];
  "last-title": Tag["h2"];
  "latest": Tag["button"];
  "law": Tag["form"];
  "law-article": Tag["input"];
  "learn-press-keys": Tag["form"];
  "left": Tag["div"];
  "legend": Tag["ol"];
  "legend-title": Tag["h2"];
  "level": Tag["p"];
  "listen-in": Tag["select"] & { value: "" | "white" | "black" };
  "listen-sheet": Tag["details"];
  "looks": Tag["div"];
  "main": Tag["main"];
  "mark-line": Tag["p"];
  "message-size": Tag["select"] & { value: "1" | "1.5" | "2" };
  "more": Tag["section"];
  "more-title": Tag["h2"];
  "moves": Tag["table"];
  "moves-title": Tag["h3"];
  "next": Tag["button"];
  "next-game": Tag["a"];
  "not-reviewed": Tag["p"];
  "nothing": Tag["p"];
  "notice": Tag["p"];
  "notices-csv": Tag["a"];
  "notices-ics": Tag["a"];
  "notices-txt": Tag["a"];
  "one-black": Tag["input"];
  "one-black-touch": Tag["input"];
  "one-form": Tag["form"];
  "one-white": Tag["input"];
  "one-white-touch": Tag["input"];
  "open-adjournments": Tag["input"];
  "open-all": Tag["button"];
  "open-boards": Tag["select"] & { value: "two" | "one" | "two_special" };
  "open-chess960": Tag["input"];
  "open-consent": Tag["input"];
  "open-control": Tag["input"];
  "open-control-said": Tag["p"];
  "open-delay": Tag["select"] & { value: "0" | "30" | "300" | "900" };
  "open-edition": Tag["select"];
  "open-form": Tag["form"];
  "open-language": Tag["select"];
  "open-quickplay": Tag["input"];
  "open-quickplay-hint": Tag["p"];
  "open-rated": Tag["input"];
  "open-scheme": Tag["select"] & { value: "d21" | "national" | "letters" };
  "open-sighted": Tag["select"] & { value: "" };
  "open-supervision": Tag["select"] & { value: "full" | "basic" };
  "open-unsupervised": Tag["input"];
  "opening": Tag["section"];
  "opening-said": Tag["p"];
  "opening-title": Tag["h2"];
  "order": Tag["div"];
  "outcome": Tag["p"];
  "own-sound": Tag["button"];
  "own-title": Tag["h2"];
  "page": Tag["select"];
  "page-choice": Tag["div"];
  "pairing-black": Tag["input"];
  "pairing-board": Tag["input"];
  "pairing-form": Tag["form"];
  "pairing-starts": Tag["input"];
  "pairing-table": Tag["select"];
  "pairing-way": Tag["input"];
  "pairing-white": Tag["input"];
  "pause": Tag["button"];
  "permit-voice": Tag["form"];
  "pgn": Tag["a"];
  "place-list": Tag["ul"];
  "places": Tag["section"];
  "places-title": Tag["h2"];
  "plies": Tag["table"];
  "plies-title": Tag["caption"];
  "position": Tag["section"];
  "position-title": Tag["h2"];
  "preroll": Tag["input"];
  "press": Tag["button"];
  "press-key": Tag["select"];
  "press-keys": Tag["p"];
  "press-keys-at": Tag["select"] & { value: "display" | "server" | "" };
  "previous": Tag["button"];
  "profile": Tag["input"];
  "profile-form": Tag["form"];
  "prompt": Tag["p"];
  "prompt-hear": Tag["button"];
  "prompt-next": Tag["button"];
  "prompt-read": Tag["button"];
  "proposed-clock": Tag["div"];
  "put-off": Tag["details"];
  "put-off-count": Tag["span"];
  "questions": Tag["div"];
  "questions-step": Tag["section"];
  "questions-title": Tag["h2"];
  "reconcile": Tag["p"];
  "record": Tag["ol"];
  "record-about": Tag["select"] & { value: "all" | "said" | "ears" | "incidents" | "rulings" };
  "record-all": Tag["button"];
  "record-section": Tag["details"];
  "record-title": Tag["summary"];
  "rehearsal-begin": Tag["button"];
  "rehearsal-now": Tag["p"];
  "rehearsal-pass": Tag["button"];
  "rehearsal-reason": Tag["input"];
  "rehearsal-sheet": Tag["details"];
  "rehearsal-skip": Tag["form"];
  "release": Tag["section"];
  "release-now": Tag["p"];
  "release-off": Tag["button"];
  "release-on": Tag["button"];
  "release-title": Tag["h2"];
  "report": Tag["form"];
  "report-hint": Tag["p"];
  "report-kind": Tag["select"] & { value: "flag" | "touch" | "irregularity" | "conduct" | "noise" | "other" };
  "report-seat": Tag["select"] & { value: "" | "white" | "black" };
  "report-text": Tag["input"];
  "report-title": Tag["h2"];
  "result": Tag["select"] & { value: "" | "1-0" | "0-1" | "1/2-1/2" | "0-0" | "1/2-0" | "0-1/2" | "+/-" | "-/+" | "-/-" };
  "result-reason": Tag["input"];
  "resume": Tag["button"];
  "review": Tag["section"];
  "right": Tag["div"];
  "room": Tag["select"] & { value: "no" | "yes" };
  "room-sound": Tag["button"];
  "round": Tag["input"];
  "round-day": Tag["input"];
  "round-form": Tag["form"];
  "round-of": Tag["select"];
  "rule": Tag["form"];
  "rule-button": Tag["button"];
  "rules": Tag["p"];
  "ruling": Tag["details"];
  "said": Tag["p"];
  "say": Tag["form"];
  "say-title": Tag["h2"];
  "saying": Tag["section"];
  "scan": Tag["p"];
  "score": Tag["table"];
  "score-title": Tag["h2"];
  "scores": Tag["details"] | Tag["ul"];
  "scores-state": Tag["span"];
  "scores-title": Tag["summary"];
  "seat-cards": Tag["form"];
  "seat-cards-of": Tag["input"];
  "set-own-clock": Tag["form"];
  "set-up-read": Tag["p"];
  "shorter": Tag["ul"];
  "show": Tag["select"] & { value: "all" | "wanting" | "playing" | "over" };
  "shut": Tag["p"];
  "sift": Tag["form"];
  "silence": Tag["button"];
  "silent": Tag["p"];
  "spectators": Tag["section"];
  "spectators-delay": Tag["select"] & { value: "0" | "30" | "300" | "900" };
  "spectators-hide": Tag["button"];
  "spectators-hint": Tag["p"];
  "spectators-now": Tag["p"];
  "spectators-show": Tag["button"];
  "spectators-title": Tag["h2"];
  "start": Tag["button"];
  "state": Tag["p"];
  "stations": Tag["ul"];
  "stations-sheet": Tag["details"];
  "stations-title": Tag["summary"];
  "step-key": Tag["select"];
  "stepping": Tag["p"];
  "strip": Tag["div"];
  "strip-count": Tag["span"];
  "strip-name": Tag["span"];
  "strip-to": Tag["a"];
  "summary": Tag["p"] | Tag["ul"];
  "tabs": Tag["div"];
  "talk": Tag["button"];
  "talk-key": Tag["select"];
  "talk-toggle": Tag["input"];
  "talk-way": Tag["div"];
  "task": Tag["p"];
  "task-title": Tag["h2"];
  "to-come": Tag["p"];
  "to-more": Tag["a"];
  "to-press": Tag["div"];
  "todo": Tag["ol"];
  "todo-section": Tag["section"];
  "todo-title": Tag["h2"];
  "told": Tag["p"];
  "top": Tag["div"];
  "touch": Tag["form"];
  "touch-how": Tag["select"] & { value: "touched" | "lifted" | "released" };
  "touch-square": Tag["input"];
  "training": Tag["div"];
  "uneven": Tag["p"];
  "vibrate": Tag["select"] & { value: "off" | "own" | "on" };
  "voice": Tag["input"];
  "voice-code": Tag["input"];
  "voice-forget": Tag["button"];
  "voice-granted": Tag["select"] & { value: "no" | "yes" };
  "voice-learn": Tag["button"];
  "voice-leave": Tag["button"];
  "voice-seat": Tag["select"] & { value: "white" | "black" };
  "voice-sheet": Tag["details"];
  "voice-state": Tag["p"];
  "voice-use": Tag["form"];
  "wait-title": Tag["h2"];
  "waiting": Tag["section"];
  "watch-aloud": Tag["input"];
  "watch-pause": Tag["button"];
  "what-title": Tag["h2"];
  "white-board": Tag["table"];
  "white-board-title": Tag["h3"];
  "white-score": Tag["table"];
  "who": Tag["span"];
  "whole": Tag["button"];
  "whose": Tag["fieldset"];
  "write": Tag["form"];
  "ws": Tag["h3"];
}
